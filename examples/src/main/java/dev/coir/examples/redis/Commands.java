package dev.coir.examples.redis;

import dev.coir.examples.redis.Keyspace.Entry;
import dev.coir.examples.server.Decimal;
import org.jspecify.annotations.Nullable;

/** What each command does. For one thread at a time: whoever calls {@link #run} holds the store's lock. */
final class Commands {
    private static final long MAX_REPLY = 64 * 1024 * 1024;

    private final Keyspace keys;
    private final ServerCommands server;

    Commands(Keyspace keys, ServerCommands server) {
        this.keys = keys;
        this.server = server;
    }

    /** Runs one command and puts its answer; what it throws is the answer then. False when it was the last one, QUIT. */
    boolean run(Arguments words, Replies replies) throws CommandError {
        Command command = Command.named(words.bytes(), words.from(0), words.to(0));
        if (command == null) throw unknown(words);
        if (!command.takes(words.count())) throw wrongCount(command);
        switch (command) {
            case GET -> replies.bulk(value(find(words, 1)));
            case SET -> set(words, replies);
            case INCR -> replies.number(add(words, 1));
            case DECR -> replies.number(add(words, -1));
            case DEL -> replies.number(delete(words));
            case EXISTS -> replies.number(count(words));
            case MGET -> getAll(words, replies);
            case MSET -> setAll(words, replies);
            case EXPIRE -> replies.number(expire(command, words, 1000));
            case PEXPIRE -> replies.number(expire(command, words, 1));
            case TTL -> replies.number(timeLeft(words, 1000));
            case PTTL -> replies.number(timeLeft(words, 1));
            case DBSIZE -> replies.number(keys.size());
            case FLUSHALL -> {
                keys.clear();
                replies.ok();
            }
            default -> server.run(command, words, replies);
        }
        return command != Command.QUIT;
    }

    private static CommandError unknown(Arguments words) {
        var text =
                new StringBuilder("ERR unknown command '" + shortened(words.text(0)) + "', with args beginning with: ");
        for (int i = 1; i < words.count() && text.length() < 256; i++) {
            text.append('\'').append(shortened(words.text(i))).append("' ");
        }
        return new CommandError(text.toString());
    }

    private static String shortened(String text) {
        return text.length() <= 128 ? text : text.substring(0, 128);
    }

    private static CommandError wrongCount(Command command) {
        return new CommandError("ERR wrong number of arguments for '" + command.lowerCase() + "' command");
    }

    private @Nullable Entry find(Arguments words, int i) {
        return keys.find(words.bytes(), words.from(i), words.to(i));
    }

    private Entry put(Arguments words, int i, byte[] value) {
        return keys.put(words.bytes(), words.from(i), words.to(i), value);
    }

    private static byte @Nullable [] value(@Nullable Entry entry) {
        return entry == null ? null : entry.value;
    }

    private void set(Arguments words, Replies replies) throws CommandError {
        boolean onlyNew = false;
        boolean onlyOld = false;
        long expiresAt = Keyspace.NEVER;
        for (int i = 3; i < words.count(); i++) {
            boolean seconds = words.is(i, "EX");
            if (words.is(i, "NX")) {
                onlyNew = true;
            } else if (words.is(i, "XX")) {
                onlyOld = true;
            } else if ((seconds || words.is(i, "PX")) && expiresAt == Keyspace.NEVER && i + 1 < words.count()) {
                long time = words.number(++i);
                if (time <= 0) throw invalidTime(Command.SET);
                expiresAt = fromNow(Command.SET, time, seconds ? 1000 : 1);
            } else {
                throw CommandError.syntax();
            }
        }
        if (onlyNew && onlyOld) throw CommandError.syntax();
        if ((onlyNew || onlyOld) && (find(words, 1) == null) == onlyOld) {
            replies.bulk((byte[]) null);
            return;
        }
        put(words, 1, words.copy(2)).expiresAt = expiresAt;
        replies.ok();
    }

    private static CommandError invalidTime(Command command) {
        return new CommandError("ERR invalid expire time in '" + command.lowerCase() + "' command");
    }

    /** The time {@code time} units of {@code unitMillis} from now. */
    private long fromNow(Command command, long time, int unitMillis) throws CommandError {
        try {
            return Math.addExact(keys.now(), Math.multiplyExact(time, unitMillis));
        } catch (ArithmeticException tooFar) {
            throw invalidTime(command);
        }
    }

    private long add(Arguments words, int delta) throws CommandError {
        Entry entry = find(words, 1);
        if (entry == null) {
            put(words, 1, Decimal.toBytes(delta));
            return delta;
        }
        byte[] digits = entry.value;
        if (!Decimal.isLong(digits, 0, digits.length)) throw CommandError.notAnInteger();
        long before = Decimal.parse(digits, 0, digits.length);
        long after = before + delta;
        if ((after > before) != (delta > 0)) {
            throw new CommandError("ERR increment or decrement would overflow");
        }
        entry.value = Decimal.toBytes(after);
        return after;
    }

    private int delete(Arguments words) {
        int deleted = 0;
        for (int i = 1; i < words.count(); i++) {
            if (keys.remove(words.bytes(), words.from(i), words.to(i))) deleted++;
        }
        return deleted;
    }

    private int count(Arguments words) {
        int found = 0;
        for (int i = 1; i < words.count(); i++) if (find(words, i) != null) found++;
        return found;
    }

    private void getAll(Arguments words, Replies replies) throws CommandError {
        long size = 0;
        for (int i = 1; i < words.count(); i++) {
            Entry entry = find(words, i);
            size += 16 + (entry == null ? 0 : entry.value.length);
        }
        if (size > MAX_REPLY) throw new CommandError("ERR the values are longer than 64 MiB: ask for fewer at once");
        replies.array(words.count() - 1);
        for (int i = 1; i < words.count(); i++) replies.bulk(value(find(words, i)));
    }

    private void setAll(Arguments words, Replies replies) throws CommandError {
        if (words.count() % 2 == 0) throw wrongCount(Command.MSET);
        for (int i = 1; i < words.count(); i += 2) put(words, i, words.copy(i + 1));
        replies.ok();
    }

    private int expire(Command command, Arguments words, int unitMillis) throws CommandError {
        long expiresAt = fromNow(command, words.number(2), unitMillis);
        Entry entry = find(words, 1);
        if (entry == null) return 0;
        entry.expiresAt = expiresAt; // when that is past, the key is gone
        return 1;
    }

    private long timeLeft(Arguments words, int unitMillis) {
        Entry entry = find(words, 1);
        if (entry == null) return -2;
        if (entry.expiresAt == Keyspace.NEVER) return -1;
        long millis = entry.expiresAt - keys.now();
        return Math.max(0, (millis + unitMillis / 2) / unitMillis);
    }
}
