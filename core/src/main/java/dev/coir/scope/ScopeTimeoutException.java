package dev.coir.scope;

import java.io.Serial;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** What {@link Scope#join} throws when the time of {@link Scope#withTimeout} was up; its cause is a {@link TimeoutException}. */
public final class ScopeTimeoutException extends ScopeFailedException {
    @Serial
    private static final long serialVersionUID = 1L;

    ScopeTimeoutException(Duration limit) {
        super(new TimeoutException("the scope's children had not ended after " + limit));
    }
}
