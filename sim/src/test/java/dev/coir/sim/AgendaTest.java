package dev.coir.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgendaTest {
    private final Agenda agenda = new Agenda();

    @Test
    void thoseOfOneMomentAreDoneAsTheyWereEntered() {
        List<Integer> done = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int number = i;
            agenda.enter(i % 2, () -> done.add(number));
        }
        agenda.doUpTo(1);
        assertEquals(List.of(0, 2, 4, 6, 8, 1, 3, 5, 7, 9), done);
        assertEquals(Long.MAX_VALUE, agenda.next());
    }

    /** Time limits of a day in a program of a second. */
    @Test
    void whatIsTakenBackDoesNotStayUntilItsTime() {
        List<Integer> done = new ArrayList<>();
        for (int i = 0; i < 100; i++) agenda.enter(1_000_000 + i, () -> done.add(1));
        for (int i = 0; i < 100_000; i++)
            agenda.enter(2_000_000, () -> done.add(2)).run();
        assertTrue(agenda.size() < 400, () -> "entries: " + agenda.size());
        agenda.doUpTo(3_000_000);
        assertEquals(100, done.size());
        assertEquals(0, agenda.size());
    }

    @Test
    void whatIsTakenBackTwiceOrAfterItWasDoneIsCountedOnce() {
        Runnable takeBack = agenda.enter(1, () -> {});
        agenda.doUpTo(1);
        takeBack.run();
        for (int i = 0; i < 1_000; i++) {
            Runnable other = agenda.enter(2, () -> {});
            other.run();
            other.run();
        }
        agenda.enter(3, () -> {});
        assertEquals(3, agenda.next());
        assertEquals(1, agenda.size());
    }
}
