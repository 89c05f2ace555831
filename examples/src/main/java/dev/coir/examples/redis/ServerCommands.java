package dev.coir.examples.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;

/** The commands that are about the connection or the server, and not about keys. */
final class ServerCommands {
    /** What clients ask of CONFIG GET; redis-benchmark prints the first two. */
    private static final Map<String, String> SETTINGS = new TreeMap<>(Map.of(
            "save", "",
            "appendonly", "no",
            "maxmemory", "0",
            "databases", "1",
            "proto-max-bulk-len", String.valueOf(CommandReader.MAX_BULK)));

    private final Keyspace keys;
    private final IntSupplier clients;
    private final long started;
    private long served;

    ServerCommands(Keyspace keys, IntSupplier clients) {
        this.keys = keys;
        this.clients = clients;
        started = keys.now();
    }

    /** Counts a command, for INFO. */
    void count() {
        served++;
    }

    void run(Command command, Arguments words, Replies replies) throws CommandError {
        switch (command) {
            case PING -> ping(words, replies);
            case ECHO -> replies.bulk(words.bytes(), words.from(1), words.to(1));
            case SELECT -> select(words, replies);
            case CONFIG -> config(words, replies);
            case COMMAND -> commands(words, replies);
            case INFO -> replies.bulk(info());
            case QUIT -> replies.ok();
            default -> throw new IllegalStateException(command + " is about keys");
        }
    }

    private static void ping(Arguments words, Replies replies) throws CommandError {
        if (words.count() > 2) throw new CommandError("ERR wrong number of arguments for 'ping' command");
        if (words.count() == 1) replies.pong();
        else replies.bulk(words.bytes(), words.from(1), words.to(1));
    }

    private static void select(Arguments words, Replies replies) throws CommandError {
        if (words.number(1) != 0) throw new CommandError("ERR DB index is out of range");
        replies.ok();
    }

    private static void config(Arguments words, Replies replies) throws CommandError {
        if (!words.is(1, "GET") || words.count() == 2) throw unknownSubcommand(words);
        var found = new TreeMap<String, String>();
        for (int i = 2; i < words.count(); i++) {
            String name = words.text(i).toLowerCase(Locale.ROOT);
            if (name.equals("*")) found.putAll(SETTINGS);
            else if (SETTINGS.containsKey(name)) found.put(name, SETTINGS.get(name));
        }
        replies.array(2 * found.size());
        found.forEach((name, value) -> {
            replies.bulk(name);
            replies.bulk(value);
        });
    }

    private static CommandError unknownSubcommand(Arguments words) {
        return new CommandError("ERR unknown subcommand '" + words.text(1) + "' of '"
                + words.text(0).toLowerCase(Locale.ROOT) + "'");
    }

    private static void commands(Arguments words, Replies replies) throws CommandError {
        if (words.count() == 1) {
            replies.array(Command.values().length);
            for (Command each : Command.values()) describe(each, replies);
        } else if (words.is(1, "COUNT")) {
            replies.number(Command.values().length);
        } else if (words.is(1, "DOCS")) {
            replies.array(0); // redis-cli asks for them, to help while typing
        } else {
            throw unknownSubcommand(words);
        }
    }

    private static void describe(Command command, Replies replies) {
        boolean manyKeys = command.hasKeys && command.arity < 0 && command != Command.SET;
        replies.array(6);
        replies.bulk(command.lowerCase());
        replies.number(command.arity);
        replies.array(0); // flags
        replies.number(command.hasKeys ? 1 : 0);
        replies.number(manyKeys ? -1 : command.hasKeys ? 1 : 0);
        replies.number(command == Command.MSET ? 2 : command.hasKeys ? 1 : 0);
    }

    private byte[] info() {
        Runtime jvm = Runtime.getRuntime();
        String text = """
                # Server
                redis_version:7.0.0
                server_name:coir-example
                redis_mode:standalone
                process_id:%d
                uptime_in_seconds:%d

                # Clients
                connected_clients:%d

                # Memory
                used_memory:%d

                # Stats
                total_commands_processed:%d

                # Keyspace
                db0:keys=%d
                """.formatted(
                        ProcessHandle.current().pid(),
                        (keys.now() - started) / 1000,
                        clients.getAsInt(),
                        jvm.totalMemory() - jvm.freeMemory(),
                        served,
                        keys.size());
        return text.replace("\n", "\r\n").getBytes(ISO_8859_1);
    }
}
