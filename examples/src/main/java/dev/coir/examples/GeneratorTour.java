package dev.coir.examples;

import dev.coir.coro.Generator;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A generator is a loop that its consumer drives. */
final class GeneratorTour implements Section {
    @Override
    public String name() {
        return "generator";
    }

    @Override
    public String title() {
        return "Generators: loops that run as far as somebody asks";
    }

    @Override
    public void run(Screen screen) {
        primes(screen);
        tree(screen);
        close(screen);
    }

    private static void primes(Screen screen) {
        screen.say("All primes. The loop has no end; the first fifteen are asked for:");
        Generator<Integer> primes = Generator.of(sink -> {
            List<Integer> found = new ArrayList<>();
            for (int n = 2; ; n++) {
                int candidate = n;
                if (found.stream().anyMatch(prime -> candidate % prime == 0)) continue;
                found.add(n);
                sink.yield(n);
            }
        });
        screen.show(primes.stream().limit(15).map(String::valueOf).collect(Collectors.joining(" ")));
        screen.gap();
    }

    private static void tree(Screen screen) {
        screen.say("A recursive walk over a tree, taken one word at a time by a for loop:");
        var tree = TreeWalk.Tree.of("mango", "coconut", "papaya", "banana", "fig", "orange", "quince");
        var line = new StringBuilder();
        for (String word : TreeWalk.words(tree)) line.append(word).append(' ');
        screen.show(line.toString().strip());
        screen.gap();
    }

    private static void close(Screen screen) {
        screen.say("Closing one that is not finished runs its finally blocks:");
        Generator<String> lines = Generator.of(sink -> {
            screen.show("body:     opens the file");
            try {
                for (int n = 1; ; n++) sink.yield("line " + n);
            } finally {
                screen.show("body:     closes the file");
            }
        });
        try (var cursor = lines.iterator()) {
            screen.show("consumer: got " + cursor.next());
            screen.show("consumer: got " + cursor.next() + ", that is enough");
        }
    }
}
