package dev.coir.bench.peers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Made-up runs. */
final class Runs {
    static final Side VIRTUAL = Side.of(Contender.COIR_VIRTUAL, 2);
    static final Side LIGHT = Side.of(Contender.COIR_LIGHT, 1);
    static final Side JDK = Side.of(Contender.JDK, 2);
    static final Side GO_1 = Side.of(Contender.GO, 1);
    static final Side GO_2 = Side.of(Contender.GO, 2);
    static final Side FLOOR = Side.of(Contender.FLOOR, 1);

    private Runs() {}

    static Work work(String id) {
        return Works.ALL.stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    static Result result(Side side, double... rounds) {
        var result = new Result(side, 1);
        for (double each : rounds) result.addRound(new double[] {each});
        return result;
    }

    static Map<Side, Result> results(Result... all) {
        Map<Side, Result> results = new LinkedHashMap<>();
        for (Result each : all) results.put(each.side(), each);
        return results;
    }

    static Report report(String work, Result... all) {
        return new Report(
                "2026-01-02T03:04",
                true,
                1,
                Map.of("processor", "an <old> one", "cores", "2", "JDK", "25"),
                0.5,
                12,
                List.of("boost.fiber skipped"),
                Map.of(work(work), results(all)));
    }
}
