package dev.coir.channel;

import dev.coir.internal.task.World;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the first of several things.
 *
 * {@snippet :
 * String what = Select.select(
 *         orders.onReceive(order -> "an order: " + order),
 *         prices.onSend(price, () -> "the price was taken"),
 *         Select.timeout(Duration.ofSeconds(1), () -> "nothing for a second"));
 * }
 */
public final class Select {
    private Select() {}

    /**
     * Waits until one of the clauses can happen, lets exactly that one happen, and returns what its function returns. The
     * function runs afterwards, in the calling fiber or thread; what it throws leaves here.
     *
     * <p>If several can happen, each of them is chosen with the same probability. A channel may stand in several clauses, also
     * with both ends; a select does not send to itself. Those not chosen leave no trace.
     *
     * @param <R> what it returns
     * @param clauses at least one; at most one {@link #otherwise}; of several time-outs the shortest counts
     * @return what the function of the chosen clause returned
     * @throws ChannelClosedException when the chosen clause's channel is closed: see {@link Receiver#onReceive} and
     *     {@link Sender#onSend}
     * @throws InterruptedException when interrupted or cancelled, before or meanwhile; no clause happened
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <R extends @Nullable Object> R select(Clause<? extends R>... clauses) throws InterruptedException {
        var choice = new Choice<R>(Objects.requireNonNull(clauses, "clauses"), World.current()::chance);
        Interrupts.check();
        return choice.make(Selection::new);
    }

    /**
     * Happens when no other clause has for some time.
     *
     * @param <R> what select returns
     * @param after how long; zero or less: at once
     * @param then called by the one who selects
     * @return the clause; its time runs anew in each select
     */
    public static <R extends @Nullable Object> Clause<R> timeout(Duration after, Supplier<? extends R> then) {
        return new TimeoutClause<>(
                Conduit.nanos(Objects.requireNonNull(after, "after")), Objects.requireNonNull(then, "then"));
    }

    /**
     * Happens when no other clause can at once: with it, select does not wait.
     *
     * @param <R> what select returns
     * @param then called by the one who selects
     * @return the clause
     */
    public static <R extends @Nullable Object> Clause<R> otherwise(Supplier<? extends R> then) {
        return new OtherwiseClause<>(Objects.requireNonNull(then, "then"));
    }
}
