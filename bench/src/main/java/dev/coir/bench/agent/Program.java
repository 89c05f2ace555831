package dev.coir.bench.agent;

import dev.coir.bench.programs.Json;
import dev.coir.bench.programs.Matrix;
import dev.coir.bench.programs.NBody;
import dev.coir.bench.programs.Regex;
import dev.coir.bench.programs.Sort;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The five programs, each with what it works on. */
enum Program {
    N_BODY("n-body"),
    JSON("JSON parse"),
    SORT("sort"),
    REGEX("regex"),
    MATRIX("matrix multiply");

    private final String title;

    Program(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** A fresh one; each call of it takes some hundred microseconds. */
    Supplier<@Nullable Object> make() {
        return switch (this) {
            case N_BODY -> () -> new NBody().run(1_000);
            case JSON -> json(Json.sample(200));
            case SORT -> sort(new Random(1).ints(50_000).toArray());
            case REGEX -> regex(new Regex("a.*b.*c"), "abcde fgh xaybzc ".repeat(1_200));
            case MATRIX -> matrix(Matrix.sample(160));
        };
    }

    private static Supplier<@Nullable Object> json(String document) {
        return () -> Json.parse(document);
    }

    private static Supplier<@Nullable Object> sort(int[] numbers) {
        return () -> {
            int[] copy = numbers.clone();
            Sort.sort(copy);
            return copy;
        };
    }

    private static Supplier<@Nullable Object> regex(Regex regex, String haystack) {
        return () -> regex.count(haystack);
    }

    private static Supplier<@Nullable Object> matrix(double[][] matrix) {
        return () -> Matrix.multiply(matrix, matrix);
    }
}
