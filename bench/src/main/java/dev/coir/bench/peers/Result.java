package dev.coir.bench.peers;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one side needed for one work. */
final class Result {
    private final Side side;
    private final List<Samples> samples = new ArrayList<>();
    private double bytesPerOp = Double.NaN;
    private @Nullable String failure;

    Result(Side side, int measures) {
        this.side = side;
        for (int i = 0; i < measures; i++) samples.add(new Samples());
    }

    Side side() {
        return side;
    }

    void addRound(double[] figures) {
        if (figures.length != samples.size())
            throw new IllegalArgumentException(
                    side.id() + ": " + figures.length + " figures (expected: " + samples.size() + ")");
        for (int i = 0; i < figures.length; i++) samples.get(i).addRound(List.of(figures[i]));
    }

    void bytesPerOp(double bytes) {
        bytesPerOp = bytes;
    }

    void failed(String why) {
        failure = why;
    }

    Samples samples(int measure) {
        return samples.get(measure);
    }

    /** NaN when it was not counted. */
    double bytesPerOp() {
        return bytesPerOp;
    }

    @Nullable
    String failure() {
        return failure;
    }

    /** Whether it has figures, and did not fail on the way. */
    boolean isComplete() {
        return failure == null && samples.getFirst().count() > 0;
    }
}
