package dev.coir.planted;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The mistake: a carrier looks for mail and then says that it sleeps. Mail that comes between wakes nobody. */
public final class MailLookedForTooEarly {
    private volatile boolean mail;
    private volatile boolean asleep;

    /** Whether the sender must wake the carrier. */
    public boolean send() {
        mail = true;
        return asleep;
    }

    /** Whether the carrier stays awake. */
    public boolean tryToSleep() {
        if (mail) return true;
        asleep = true;
        return false;
    }

    /** CarrierStress.Mail, which must fail. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "woken, or it never slept")
    @Outcome(expect = FORBIDDEN, desc = "the carrier sleeps and its mail waits")
    @State
    public static class Planted {
        private final MailLookedForTooEarly carrier = new MailLookedForTooEarly();

        @Actor
        public void sender(ZZ_Result r) {
            r.r1 = carrier.send();
        }

        @Actor
        public void sleeper(ZZ_Result r) {
            r.r2 = carrier.tryToSleep();
        }
    }
}
