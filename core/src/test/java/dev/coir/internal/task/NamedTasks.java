package dev.coir.internal.task;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tasks with names, for tests of the queues. */
final class NamedTasks {
    private NamedTasks() {}

    static Task named(String name) {
        return new Task() {
            @Override
            protected void runSlice() {}

            @Override
            public String toString() {
                return name;
            }
        };
    }

    static Task[] allNamed(String... names) {
        return Arrays.stream(names).map(NamedTasks::named).toArray(Task[]::new);
    }

    static Task numbered(int number) {
        return named(Integer.toString(number));
    }

    /** The names of a list that was taken from a mailbox; takes it apart. */
    static List<String> names(@Nullable Task oldest) {
        var names = new ArrayList<String>();
        for (Task each = oldest; each != null; ) {
            names.add(each.toString());
            each = Tasks.unlink(each);
        }
        return names;
    }
}
