package dev.coir.net.internal;

import java.io.Serial;
import java.net.SocketException;

/** The process or the system has no room for another descriptor or buffer; that may pass. */
final class OutOfDescriptorsException extends SocketException {
    @Serial
    private static final long serialVersionUID = 1;

    OutOfDescriptorsException(String text) {
        super(text);
    }
}
