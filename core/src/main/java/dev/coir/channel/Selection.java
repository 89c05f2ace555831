package dev.coir.channel;

import dev.coir.internal.wait.Waiter;
import org.jspecify.annotations.Nullable;

/** One wait at several channels. */
class Selection extends Waiter {
    @Nullable
    Place winner; // written under the guard of its channel by whoever claimed; read after that guard was taken again

    /** A wait of the calling party. */
    Selection() {}

    /** For a party that parks in its own way. */
    Selection(Object party) {
        super(party);
    }

    /** Where a selection stands in one channel. */
    static final class Place extends Node {
        final ChannelClause<?> clause;
        private final Selection selection;

        Place(Selection selection, ChannelClause<?> clause) {
            super(selection);
            this.selection = selection;
            this.clause = clause;
            this.item = clause.firstItem();
        }

        @Override
        boolean claim() {
            if (!selection.trySignal()) return false;
            selection.winner = this;
            return true;
        }

        @Override
        public void unpark() {
            selection.unpark();
        }
    }
}
