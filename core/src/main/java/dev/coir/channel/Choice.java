package dev.coir.channel;

import dev.coir.internal.StackRoom;
import dev.coir.internal.wait.Waiter;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One select under way. */
final class Choice<R extends @Nullable Object> {
    /*
     * With the guards of all channels held, taken in the order of the channels' numbers: the clauses are tried in random
     * order, and the first that can happen does. If none can, a place is taken in the queue of each before any guard is
     * freed. So nothing that happens at one of the channels can be missed, and while a clause is tried nobody can choose this
     * select from outside: only the other side's wait needs to be claimed.
     *
     * S1. Exactly one clause happens: the places share one wait, and who claims it has won. Guarded by SelectStress.
     * S2. When select returns or throws, it stands in no queue. Guarded by SelectTest.
     */
    private final ChannelClause<? extends R>[] clauses; // in the order in which they are tried
    private final Core[] cores; // each once, in the order in which they are locked
    private @Nullable TimeoutClause<? extends R> timeout; // the shortest
    private @Nullable OtherwiseClause<? extends R> otherwise;

    /**
     * A select over these clauses.
     *
     * @param given at least one
     * @param below gives a number from 0 up to but not including its argument, at random
     */
    Choice(Clause<? extends R>[] given, IntUnaryOperator below) {
        if (given.length == 0) throw new IllegalArgumentException("a select without clauses would wait for ever");
        clauses = sort(given);
        cores = lockingOrder();
        for (int i = clauses.length - 1; i > 0; i--) {
            int j = below.applyAsInt(i + 1);
            var chosen = clauses[j];
            clauses[j] = clauses[i];
            clauses[i] = chosen;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of them
    private ChannelClause<? extends R>[] sort(Clause<? extends R>[] given) {
        int count = 0;
        for (Clause<? extends R> each : given) {
            switch (Objects.requireNonNull(each, "clause")) {
                case ChannelClause<? extends R> _ -> count++;
                case TimeoutClause<? extends R> limit -> {
                    if (timeout == null || limit.nanos() < timeout.nanos()) timeout = limit;
                }
                case OtherwiseClause<? extends R> last -> {
                    if (otherwise != null) throw new IllegalArgumentException("two otherwise clauses (expected: one)");
                    otherwise = last;
                }
            }
        }
        var found = new ChannelClause[count];
        int next = 0;
        for (Clause<? extends R> each : given) {
            if (each instanceof ChannelClause<? extends R> clause) found[next++] = clause;
        }
        return found;
    }

    private Core[] lockingOrder() {
        var ordered = new Core[clauses.length];
        int count = 0;
        for (ChannelClause<?> each : clauses) {
            int at = count;
            while (at > 0 && ordered[at - 1].number > each.core.number) at--;
            if (at > 0 && ordered[at - 1] == each.core) continue;
            System.arraycopy(ordered, at, ordered, at + 1, count - at);
            ordered[at] = each.core;
            count++;
        }
        if (count == ordered.length) return ordered;
        var distinct = new Core[count];
        System.arraycopy(ordered, 0, distinct, 0, count);
        return distinct;
    }

    R make(Supplier<Selection> newSelection) throws InterruptedException {
        StackRoom.ensureMore();
        long nanos = otherwise != null ? 0 : timeout != null ? timeout.nanos() : Long.MAX_VALUE;
        long deadline = nanos <= 0 ? 0 : Waiter.deadlineIn(nanos);
        Selection selection = nanos > 0 && !anyLooksReady() ? newSelection.get() : null;
        while (true) {
            var places = selection == null ? null : places(selection);
            ChannelClause<? extends R> happened = null;
            Object item = Answer.WAIT;
            lock();
            try {
                for (ChannelClause<? extends R> each : clauses) {
                    item = each.attemptLocked();
                    if (item == Answer.WAIT) continue;
                    happened = each;
                    break;
                }
                if (happened == null && places != null) {
                    for (Selection.Place each : places) each.clause.queue().addLast(each);
                }
            } finally {
                unlock();
            }
            if (happened != null) return happened.finish(item);
            if (nanos <= 0) return giveUp();
            if (selection != null && places != null) return await(selection, places, deadline);
            selection = newSelection.get();
        }
    }

    private boolean anyLooksReady() {
        for (ChannelClause<?> each : clauses) {
            if (each.looksReady()) return true;
        }
        return false;
    }

    private Selection.Place[] places(Selection selection) {
        var places = new Selection.Place[clauses.length];
        for (int i = 0; i < places.length; i++) places[i] = new Selection.Place(selection, clauses[i]);
        return places;
    }

    private void lock() {
        for (Core each : cores) each.lock();
    }

    private void unlock() {
        Node partner = null; // at most one clause has happened
        for (Core each : cores) {
            Node waking = each.unlock();
            if (waking != null) partner = waking;
        }
        if (partner != null) partner.unpark();
    }

    @SuppressWarnings("unchecked") // the places are of our clauses
    private R await(Selection selection, Selection.Place[] places, long deadlineNanos) throws InterruptedException {
        Waiter.Outcome outcome = Waiter.Outcome.SIGNALLED;
        try {
            outcome = selection.await("select", deadlineNanos, true);
        } catch (VirtualMachineError noWait) { // for want of stack or memory, unless somebody was faster
            if (selection.hasGivenUp()) {
                forget(places);
                throw noWait;
            }
        }
        forget(places);
        return switch (outcome) {
            case SIGNALLED -> {
                var winner = Objects.requireNonNull(selection.winner);
                yield ((ChannelClause<? extends R>) winner.clause).finish(winner.item);
            }
            case INTERRUPTED -> throw new InterruptedException();
            case TIMED_OUT -> giveUp();
        };
    }

    private static void forget(Selection.Place[] places) {
        for (Selection.Place each : places) each.clause.core.forget(each.clause.queue(), each);
    }

    private R giveUp() {
        var last = otherwise;
        if (last != null) return last.then().get();
        return Objects.requireNonNull(timeout).then().get();
    }
}
