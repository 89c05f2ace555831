package dev.coir.examples.redis;

/** What a command answers in the place of a result. The texts are those of Redis, for clients look at them. */
final class CommandError extends Exception {
    private static final long serialVersionUID = 1;

    private final String text;

    CommandError(String text) {
        super(text, null, false, false); // clients can make many of these: no stack trace
        this.text = text;
    }

    static CommandError syntax() {
        return new CommandError("ERR syntax error");
    }

    static CommandError notAnInteger() {
        return new CommandError("ERR value is not an integer or out of range");
    }

    String text() {
        return text;
    }
}
