package dev.coir.fiber;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a fiber on a scheduler seldom has: a number that somebody has asked for, values of its own. It lies apart, so that the others keep no room for it. */
final class Rare {
    final long id;
    final @Nullable String given;
    private @Nullable Map<FiberLocal<?>, Object> locals; // the fiber only

    /** Where a bare stack is confined that is on no carrier; set at its first run, by that thread. */
    @Nullable
    Thread thread;

    Rare(long id, @Nullable String given) {
        this.id = id;
        this.given = given;
    }

    /** The fiber only. */
    Map<FiberLocal<?>, Object> locals() {
        Map<FiberLocal<?>, Object> map = locals;
        if (map == null) locals = map = new HashMap<>();
        return map;
    }
}
