package dev.coir.examples.redis;

import dev.coir.examples.server.Inbox;
import dev.coir.examples.server.Outbox;
import java.io.IOException;
import java.nio.channels.ByteChannel;

/** One client, from its first command to its last. */
final class RedisConnection {
    private final Store store;
    private final CommandReader reader = new CommandReader();
    private final Inbox in;
    private final Outbox out;
    private final Replies replies;

    RedisConnection(ByteChannel client, Store store) {
        this.store = store;
        in = new Inbox(client, CommandReader.MAX_COMMAND);
        out = new Outbox(client);
        replies = new Replies(out);
    }

    /** Answers until the client has no more commands, or sends what is none. */
    void serve() throws IOException {
        while (in.fillAfter(out)) { // the answers to a pipeline, in one write
            if (!answerWhatIsThere()) {
                out.flush();
                return;
            }
        }
    }

    private boolean answerWhatIsThere() throws IOException {
        while (true) {
            switch (reader.next(in)) {
                case MORE -> {
                    return true;
                }
                case COMMAND -> {
                    if (!store.run(reader.arguments(), replies)) return false;
                }
                case FAULT -> {
                    replies.error(reader.fault());
                    return false;
                }
            }
            if (out.isLarge()) out.flush();
        }
    }
}
