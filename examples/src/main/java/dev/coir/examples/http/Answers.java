package dev.coir.examples.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The answers, ready to be copied out. They hold the time, so someone renews them every second. */
final class Answers {
    static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(US_ASCII);

    private static final String GREETING = "Hello, world!\n";
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /** The greeting three times; a request picks one by what is to become of its connection. */
    private static final class Ready {
        final String date;
        final byte[] plain;
        final byte[] keepAlive;
        final byte[] close;

        Ready(Instant now) {
            date = DATE.format(now);
            plain = greeting(date, "");
            keepAlive = greeting(date, "Connection: keep-alive\r\n"); // HTTP/1.0 wants to be told
            close = greeting(date, "Connection: close\r\n");
        }
    }

    private volatile Ready ready; // written by renew, read by every connection

    Answers(Instant now) {
        ready = new Ready(now);
    }

    void renew(Instant now) {
        ready = new Ready(now);
    }

    /** The greeting; a HEAD request gets all but its last {@link #bodyLength} bytes. */
    byte[] greeting(boolean keepsAlive, boolean isHttp11) {
        Ready now = ready;
        if (!keepsAlive) return now.close;
        return isHttp11 ? now.plain : now.keepAlive;
    }

    static int bodyLength() {
        return GREETING.length();
    }

    /** Says what was wrong, and that the connection ends here. */
    byte[] refusal(Fault fault, String reason) {
        String body = fault.status + " " + fault.phrase + ": " + reason + "\n";
        return answer(fault.status + " " + fault.phrase, ready.date, "Connection: close\r\n", body);
    }

    private static byte[] greeting(String date, String connection) {
        return answer("200 OK", date, connection, GREETING);
    }

    private static byte[] answer(String status, String date, String connection, String body) {
        String text = "HTTP/1.1 " + status + "\r\nDate: " + date + "\r\n" + connection
                + "Content-Type: text/plain\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        return text.getBytes(US_ASCII);
    }
}
