package dev.coir.bench.servers;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;

/** What the contestants did under one load, the first being Coir; below it what the floor says about goals that are missed. */
final class ServerTable {
    private static final String LINE = "%-50s %10s %7s %7s  %-14s %8s %6s";

    private final PrintStream out;

    ServerTable(PrintStream out) {
        this.out = out;
    }

    /**
     * Prints a table.
     *
     * @param judged whether goals are met or missed under this load, or only told
     */
    void print(String title, boolean judged, Map<Contestant, Measured> found) {
        out.println();
        out.println(String.format(LINE, title, "req/s", "spread", "ratio", "goal", "CPU", "load"));
        Measured coir = found.values().iterator().next();
        found.forEach((contestant, measured) -> line(contestant, measured, coir, judged));
        found.forEach((floor, measured) -> {
            if (judged && floor.isFloor()) found.forEach((peer, its) -> verdict(floor, measured, coir, peer, its));
        });
        out.flush();
    }

    /** What the columns mean. */
    void explain(String rounds) {
        out.println();
        out.println("req/s: median of " + rounds + ". spread: half of highest less lowest.");
        out.println(
                "ratio: Coir's light fibers over this, round by round. Hello goals are judged under the lean load only: wrk is"
                        + " the limit itself.");
        out.println(
                "Higher is better for Coir. CPU: time of the server's process for one request. load: how busy the load"
                        + " generator kept its own");
        out.println(
                "processor; near 100% it is the limit, and servers look more alike than they are. The plain servers look for"
                        + " the end of a request");
        out.println(
                "and for nothing else; Coir's parses and checks the whole of it. Bare epoll is a floor, no peer: one thread"
                        + " of C with the system calls");
        out.println(
                "that such a server cannot do without. By CPU: the peer's time for a request over the floor's, which tells more"
                        + " where load is near 100%.");
    }

    private void line(Contestant contestant, Measured measured, Measured coir, boolean judged) {
        double ratio = coir.over(measured);
        out.println(String.format(
                        LINE,
                        "  " + contestant.label(),
                        String.format(Locale.ROOT, "%,.0f", measured.rate()),
                        percent(measured.spread()),
                        measured == coir ? "" : Double.isFinite(ratio) ? number("%.2f", ratio) : "none",
                        contestant.hasGoal() ? goal(contestant) + (judged ? outcome(ratio, contestant) : "") : "",
                        number("%.1f us", measured.cpuMicros()),
                        percent(measured.busy()))
                .stripTrailing());
    }

    /** One line for a goal that is missed: whether there is room between Coir and the floor. All rounds have to agree on it. */
    private void verdict(Contestant floor, Measured measured, Measured coir, Contestant peer, Measured its) {
        double reached = coir.over(its);
        if (!peer.hasGoal() || reached >= peer.goal()) return;
        double ratio = measured.over(its);
        long reaching = measured.roundsAtLeast(peer.goal(), its);
        String so;
        if (reaching == measured.rounds()) so = "so there is room for " + goal(peer);
        else if (reaching > 0) so = "on both sides of " + goal(peer) + ", so this run cannot tell";
        else if (reached > ratio) so = "less than Coir: no floor in this run";
        else so = "so " + goal(peer) + " was out of reach under this load";
        out.println("  floor: " + floor.name() + " answers " + number("%.2f", ratio) + " times what " + peer.name()
                + " does (" + number("%.2f", its.cpuMicros() / measured.cpuMicros()) + " by CPU), load "
                + percent(measured.busy()) + "; " + so);
    }

    private static String outcome(double ratio, Contestant contestant) {
        return ratio >= contestant.goal() ? " met" : " MISSED";
    }

    private static String goal(Contestant contestant) {
        return number(">= %.1f", contestant.goal());
    }

    private static String percent(double share) {
        return number("%.0f%%", 100 * share);
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
