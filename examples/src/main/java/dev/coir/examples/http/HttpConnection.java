package dev.coir.examples.http;

import dev.coir.examples.server.IdleWatch;
import dev.coir.examples.server.Inbox;
import dev.coir.examples.server.Outbox;
import java.io.IOException;
import java.nio.channels.ByteChannel;

/**
 * One client, from its first request to its last. The code reads, answers and writes as if it had a thread to itself;
 * waiting is the channel's business.
 */
final class HttpConnection {
    private final Answers answers;
    private final IdleWatch.Client idle;
    private final RequestParser parser = new RequestParser();
    private final Inbox in;
    private final Outbox out;

    HttpConnection(ByteChannel client, Answers answers, IdleWatch.Client idle) {
        this.answers = answers;
        this.idle = idle;
        in = new Inbox(client, 2 * RequestParser.MAX_HEAD);
        out = new Outbox(client);
    }

    /** Answers until the client has no more requests, or gives reason to close. */
    void serve() throws IOException {
        while (fill()) {
            if (!answerWhatIsThere()) {
                out.flush();
                return;
            }
        }
        if (idle.isOver() && !isBetweenRequests()) refuse(Fault.REQUEST_TIMEOUT, "a request must not take so long");
    }

    /**
     * Sends the answers, those to a pipeline in one write, and waits for more. A request has so much time from its beginning on,
     * however it is cut into pieces.
     */
    private boolean fill() throws IOException {
        boolean begins = isBetweenRequests();
        boolean hasMore = in.fillAfter(out);
        if (begins && hasMore) idle.touch();
        return hasMore;
    }

    private boolean isBetweenRequests() {
        return parser.isBetweenRequests() && in.size() == 0;
    }

    private void refuse(Fault fault, String reason) throws IOException {
        out.put(answers.refusal(fault, reason)).flush();
    }

    private boolean answerWhatIsThere() throws IOException {
        while (true) {
            switch (parser.next(in)) {
                case MORE -> {
                    return true;
                }
                case CONTINUE -> out.put(Answers.CONTINUE);
                case REQUEST -> {
                    idle.touch();
                    greet();
                    if (!parser.keepsAlive()) return false;
                }
                case FAULT -> {
                    refuse(parser.fault(), parser.reason());
                    return false;
                }
            }
            if (out.isLarge()) out.flush();
        }
    }

    private void greet() {
        byte[] greeting = answers.greeting(parser.keepsAlive(), parser.isHttp11());
        out.putShared(greeting, parser.isHead() ? greeting.length - Answers.bodyLength() : greeting.length);
    }
}
