package dev.coir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.coir.channel.Channel;
import dev.coir.channel.Clause;
import dev.coir.channel.Receiver;
import dev.coir.channel.Select;
import dev.coir.channel.Sender;
import dev.coir.coro.Generator;
import dev.coir.executor.ManualExecutor;
import dev.coir.executor.Reports;
import dev.coir.executor.Scheduler;
import dev.coir.executor.Strand;
import dev.coir.fiber.Fiber;
import dev.coir.fiber.FiberLocal;
import dev.coir.parallel.BoundedPool;
import dev.coir.parallel.Dag;
import dev.coir.parallel.Defer;
import dev.coir.parallel.TicketQueue;
import dev.coir.scope.Joiner;
import dev.coir.scope.Scope;
import dev.coir.sync.Barrier;
import dev.coir.sync.Event;
import dev.coir.sync.Latch;
import dev.coir.sync.McsLock;
import dev.coir.sync.Mutex;
import dev.coir.sync.Once;
import dev.coir.sync.RwLock;
import dev.coir.sync.Semaphore;
import dev.coir.sync.SeqLock;
import dev.coir.sync.SpinLock;
import dev.coir.sync.WaitGroup;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every public method and constructor refuses null at the call, with the name of the parameter as the text. What may be null
 * is annotated so, or is of a type variable that says so.
 */
class NullArgumentTest {
    private static final List<String> EXPORTED = List.of(
            "dev.coir.channel",
            "dev.coir.coro",
            "dev.coir.executor",
            "dev.coir.fiber",
            "dev.coir.parallel",
            "dev.coir.scope",
            "dev.coir.sync");

    /** What a program implements itself, so that Coir has no say in it. */
    private static final Set<Class<?>> IMPLEMENTED_BY_OTHERS = Set.of(Reports.class, Joiner.class);

    private final Map<Class<?>, Object> samples = new HashMap<>();
    private final Set<String> accepted = new TreeSet<>();
    private int refused;

    @Test
    void nullIsRefusedAtTheCallWithTheNameOfTheParameter() throws Exception {
        try (Scheduler scheduler = Scheduler.start(1);
                var scope = Scope.open()) {
            makeSamples(scheduler, scope);
            for (Class<?> type : publicTypes()) check(type);
        }
        assertEquals(Set.of(), accepted, () -> String.join("\n", accepted));
        assertTrue(refused > 100, () -> "only " + refused + " were tried");
    }

    /** The check finds what it is there for. */
    @Test
    void aMethodThatTakesNullIsFound() throws Exception {
        samples.put(Planted.class, new Planted());
        samples.put(Object.class, "sample");
        check(Planted.class);
        assertEquals(3, accepted.size(), accepted::toString);
        assertEquals(2, refused);
    }

    /** One that takes it, one that fails late, one that overlooks an element, one that is right, one that may. */
    public static final class Planted {
        public Object takes(Object thing) {
            return thing;
        }

        public int failsWithoutText(Object thing) {
            return thing.hashCode();
        }

        public Object overlooksAnElement(Object... things) {
            return Objects.requireNonNull(things, "things");
        }

        public Object refuses(Object thing) {
            return Objects.requireNonNull(thing, "thing");
        }

        public @Nullable Object mayTake(@Nullable Object thing) {
            return thing;
        }
    }

    // ---- what is tried ---------------------------------------------------------------------------------------------

    private static List<Class<?>> publicTypes() {
        List<Class<?>> types = new ArrayList<>();
        var importer = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests());
        for (JavaClass each : importer.importPackages(EXPORTED)) {
            boolean exported = EXPORTED.contains(each.getPackageName()); // those below are not
            if (exported && each.getModifiers().contains(JavaModifier.PUBLIC)) types.add(each.reflect());
        }
        assertFalse(types.isEmpty());
        return types;
    }

    private void check(Class<?> type) throws Exception {
        if (type.isRecord() || type.isEnum() || Throwable.class.isAssignableFrom(type))
            return; // they hold what they get
        if (IMPLEMENTED_BY_OTHERS.contains(type)) return;
        for (Constructor<?> each : type.getConstructors()) check(type, each);
        for (Method each : type.getMethods()) {
            boolean ours = each.getDeclaringClass().getName().startsWith("dev.coir.");
            if (ours && !each.getName().equals("equals")) check(type, each);
        }
    }

    private void check(Class<?> type, Executable call) throws Exception {
        AnnotatedType[] parameters = call.getAnnotatedParameterTypes();
        Class<?>[] raw = call.getParameterTypes();
        for (int i = 0; i < raw.length; i++) {
            if (raw[i].isPrimitive()) continue;
            if (!mayBeNull(parameters[i])) {
                check(type, call, i, null);
                if (raw[i].isArray()
                        && !mayBeNull(((AnnotatedArrayType) parameters[i]).getAnnotatedGenericComponentType()))
                    check(type, call, i, Array.newInstance(raw[i].getComponentType(), 1));
            }
        }
    }

    private static boolean mayBeNull(AnnotatedType type) {
        if (type.isAnnotationPresent(Nullable.class)) return true;
        if (!(type instanceof AnnotatedTypeVariable)) return false;
        var variable = (TypeVariable<?>) type.getType();
        for (AnnotatedType bound : variable.getAnnotatedBounds()) if (mayBeNull(bound)) return true;
        return false;
    }

    private void check(Class<?> type, Executable call, int place, @Nullable Object instead) throws Exception {
        Class<?>[] raw = call.getParameterTypes();
        Object[] arguments = new Object[raw.length];
        for (int i = 0; i < raw.length; i++) arguments[i] = i == place ? instead : sample(raw[i]);
        call.setAccessible(true); // the declaring class may be a base that is not public
        String what = call + ", parameter " + place + (instead == null ? "" : ", an element");
        try {
            if (call instanceof Constructor<?> making) making.newInstance(arguments);
            else ((Method) call).invoke(Modifier.isStatic(call.getModifiers()) ? null : sample(type), arguments);
            accepted.add("accepted: " + what);
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            String text = String.valueOf(cause.getMessage());
            if (cause instanceof NullPointerException && text.matches("[a-z]\\w*(\\[\\d+])?") && !text.equals("null"))
                refused++;
            else accepted.add("thrown: " + cause + ": " + what);
        }
    }

    // ---- what else is passed ---------------------------------------------------------------------------------------

    private Object sample(Class<?> type) {
        Object sample = samples.get(type);
        if (sample == null && type.isArray()) sample = Array.newInstance(type.getComponentType(), 0);
        if (sample == null) throw new AssertionError("no sample of " + type + ": add one to makeSamples");
        return sample;
    }

    private void makeSamples(Scheduler scheduler, Scope<?, ?> scope) {
        Fiber<Integer> fiber = Fiber.go(scheduler, () -> 1);
        fiber.join();
        var mutex = new Mutex();
        samples.put(int.class, 1);
        samples.put(long.class, 0L);
        samples.put(boolean.class, true);
        samples.put(Object.class, "sample");
        samples.put(String.class, "sample");
        samples.put(Duration.class, Duration.ZERO);
        samples.put(TimeUnit.class, TimeUnit.SECONDS);
        samples.put(Thread.class, Thread.currentThread());
        samples.put(Throwable.class, new IllegalStateException("sample"));
        samples.put(Runnable.class, (Runnable) () -> {});
        samples.put(Callable.class, (Callable<Integer>) () -> 1);
        samples.put(Supplier.class, (Supplier<Integer>) () -> 1);
        samples.put(Function.class, (Function<Object, Object>) given -> given);
        samples.put(Consumer.class, (Consumer<Object>) _ -> {});
        samples.put(IntConsumer.class, (IntConsumer) _ -> {});
        samples.put(Executor.class, scheduler);
        samples.put(Collection.class, List.of());
        samples.put(Iterable.class, List.of());
        samples.put(CompletionStage.class, CompletableFuture.completedFuture(1));
        samples.put(Condition.class, mutex.newCondition());
        samples.put(Thread.UncaughtExceptionHandler.class, (Thread.UncaughtExceptionHandler) (_, _) -> {});
        samples.put(Clause.class, Select.otherwise(() -> 1));
        samples.put(Clause[].class, new Clause<?>[] {Select.otherwise(() -> 1)});
        samples.put(Channel.class, Channel.buffered(1));
        samples.put(Sender.class, Channel.buffered(1));
        samples.put(Receiver.class, Channel.buffered(1));
        samples.put(Generator.class, Generator.<Integer>of(sink -> sink.yield(1)));
        Generator.<Integer>of(sink -> samples.put(Generator.Sink.class, sink)).forEach(_ -> {});
        samples.put(ManualExecutor.class, new ManualExecutor());
        samples.put(Strand.class, Strand.over(scheduler));
        samples.put(Scheduler.class, scheduler);
        samples.put(Scheduler.Builder.class, Scheduler.builder());
        samples.put(Scheduler.Policy.class, Scheduler.Policy.SHARED_QUEUE);
        samples.put(Reports.class, new Reports() {});
        samples.put(Fiber.class, fiber);
        samples.put(Fiber.Builder.class, Fiber.builder());
        samples.put(Fiber.Kind.class, Fiber.Kind.VIRTUAL);
        samples.put(FiberLocal.class, FiberLocal.withInitial(() -> 1));
        samples.put(BoundedPool.class, new BoundedPool<>(1, () -> 1));
        samples.put(Dag.Builder.class, Dag.builder());
        samples.put(Dag.Node.class, Dag.builder().node(() -> {}));
        samples.put(Defer.class, new Defer());
        samples.put(TicketQueue.Ticket.class, new TicketQueue().take());
        samples.put(Joiner.class, Joiner.all());
        samples.put(Scope.class, scope);
        samples.put(Barrier.class, new Barrier(2));
        samples.put(Event.class, Event.auto());
        samples.put(Latch.class, new Latch(1));
        samples.put(McsLock.class, new McsLock());
        samples.put(SpinLock.class, new SpinLock());
        samples.put(Mutex.class, mutex);
        samples.put(Once.class, new Once());
        samples.put(RwLock.class, new RwLock());
        samples.put(RwLock.ReadLock.class, new RwLock().readLock());
        samples.put(RwLock.WriteLock.class, new RwLock().writeLock());
        samples.put(RwLock.Preference.class, RwLock.Preference.FAIR);
        samples.put(Semaphore.class, new Semaphore(1));
        samples.put(SeqLock.class, new SeqLock());
        samples.put(WaitGroup.class, new WaitGroup());
    }
}
