package dev.coir.examples.http;

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
    private final RequestParser parser = new RequestParser();
    private final Inbox in;
    private final Outbox out;

    HttpConnection(ByteChannel client, Answers answers) {
        this.answers = answers;
        in = new Inbox(client, 2 * RequestParser.MAX_HEAD);
        out = new Outbox(client);
    }

    /** Answers until the client has no more requests, or gives reason to close. */
    void serve() throws IOException {
        while (in.fill()) {
            boolean goesOn = answerWhatIsThere();
            out.flush(); // the answers to a pipeline, in one write
            if (!goesOn) return;
        }
    }

    private boolean answerWhatIsThere() throws IOException {
        while (true) {
            switch (parser.next(in)) {
                case MORE -> {
                    return true;
                }
                case CONTINUE -> out.put(Answers.CONTINUE);
                case REQUEST -> {
                    greet();
                    if (!parser.keepsAlive()) return false;
                }
                case FAULT -> {
                    out.put(answers.refusal(parser.fault(), parser.reason()));
                    return false;
                }
            }
            if (out.isLarge()) out.flush();
        }
    }

    private void greet() {
        byte[] greeting = answers.greeting(parser.keepsAlive(), parser.isHttp11());
        out.put(greeting, 0, parser.isHead() ? greeting.length - Answers.bodyLength() : greeting.length);
    }
}
