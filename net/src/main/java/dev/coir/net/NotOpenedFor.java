package dev.coir.net;

import java.io.Serial;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;

/** What the JDK's channels throw when a file was opened for something else, with a text. */
final class NotOpenedFor {
    private NotOpenedFor() {}

    static final class Reading extends NonReadableChannelException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final String text;

        Reading(String text) {
            this.text = text;
        }

        @Override
        public String getMessage() {
            return text;
        }
    }

    static final class Writing extends NonWritableChannelException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final String text;

        Writing(String text) {
            this.text = text;
        }

        @Override
        public String getMessage() {
            return text;
        }
    }
}
