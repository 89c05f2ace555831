package dev.coir.sim;

import java.io.Serial;

/** A run that failed. Its text says which seed brings it back; its cause is what went wrong, if something was thrown. */
public final class SimulationFailure extends AssertionError {
    @Serial
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // a record of plain values
    private final SimulationReport report;

    SimulationFailure(String what, SimulationReport report) {
        super(text(what, report));
        this.report = report;
    }

    SimulationFailure(Throwable cause, SimulationReport report) {
        super(text(shown(cause), report), cause);
        this.report = report;
    }

    private static String shown(Throwable cause) {
        try {
            return cause.toString();
        } catch (Throwable broken) {
            return cause.getClass().getName(); // what it would have said must not hide what it is
        }
    }

    private static String text(String what, SimulationReport report) {
        var text = new StringBuilder("seed ")
                .append(report.seed())
                .append(": ")
                .append(what)
                .append('\n');
        text.append("After ").append(report.steps()).append(" steps and ");
        text.append(Steps.shown(report.elapsed().toNanos())).append(". To see it again: Simulation.run(");
        text.append(report.seed()).append("L, program), or -D").append(Simulation.SEED_PROPERTY);
        text.append('=').append(report.seed()).append('\n');
        for (String line : report.lastSteps()) text.append(line).append('\n');
        return text.toString();
    }

    /**
     * How the run went until then.
     *
     * @return the report
     */
    public SimulationReport report() {
        return report;
    }
}
