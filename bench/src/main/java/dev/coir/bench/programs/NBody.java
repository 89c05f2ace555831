package dev.coir.bench.programs;

/** The sun and four planets, in small steps. */
public final class NBody {
    private static final class Body {
        double x;
        double y;
        double z;
        double vx;
        double vy;
        double vz;
        final double mass;

        Body(double mass, double at, double speed) {
            this.mass = mass;
            this.x = at;
            this.y = at / 3;
            this.z = -at / 5;
            this.vx = -speed;
            this.vy = speed * 0.7;
            this.vz = speed / 9;
        }
    }

    private final Body[] bodies = {
        new Body(39.47, 0, 0),
        new Body(0.037, 4.84, 0.6),
        new Body(0.011, 8.34, -1.0),
        new Body(0.0017, 12.89, 1.08),
        new Body(0.002, 15.37, 0.97)
    };

    /** A fresh solar system. */
    public NBody() {}

    /**
     * Moves all bodies.
     *
     * @param steps how often
     * @return the energy of the whole
     */
    public double run(int steps) {
        for (int i = 0; i < steps; i++) advance(0.01);
        return energy();
    }

    private void advance(double dt) {
        for (int i = 0; i < bodies.length; i++) {
            Body a = bodies[i];
            for (int j = i + 1; j < bodies.length; j++) attract(a, bodies[j], dt);
        }
        for (Body each : bodies) {
            each.x += dt * each.vx;
            each.y += dt * each.vy;
            each.z += dt * each.vz;
        }
    }

    private static void attract(Body a, Body b, double dt) {
        double dx = a.x - b.x;
        double dy = a.y - b.y;
        double dz = a.z - b.z;
        double distance = dx * dx + dy * dy + dz * dz + 0.01;
        double force = dt / (distance * Math.sqrt(distance));
        a.vx -= dx * b.mass * force;
        a.vy -= dy * b.mass * force;
        a.vz -= dz * b.mass * force;
        b.vx += dx * a.mass * force;
        b.vy += dy * a.mass * force;
        b.vz += dz * a.mass * force;
    }

    private double energy() {
        double sum = 0;
        for (Body each : bodies) sum += 0.5 * each.mass * (each.vx * each.vx + each.vy * each.vy + each.vz * each.vz);
        return sum;
    }
}
