package dev.coir.scope;

import java.io.Serial;

/**
 * What {@link Scope#join} throws when it has no result: its cause is the first failure, and the failures of the other children
 * are {@linkplain #getSuppressed suppressed}. Those that were cancelled because of the first are no failures.
 */
public class ScopeFailedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Because of a failure.
     *
     * @param cause the failure
     */
    public ScopeFailedException(Throwable cause) {
        super(cause);
    }
}
