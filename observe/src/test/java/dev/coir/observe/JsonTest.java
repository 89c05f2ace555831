package dev.coir.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.coir.executor.Scheduler;
import dev.coir.fiber.Fiber.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is written is read back by somebody else's parser. */
class JsonTest {
    private static final ObjectMapper PARSER = new ObjectMapper();

    private static String written(CharSequence text) {
        var out = new StringBuilder();
        new Json(out).text(text);
        return out.toString();
    }

    /** By way of bytes, as a file is. */
    private static JsonNode read(String json) throws IOException {
        return PARSER.readTree(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void everyCharacterComesBack() throws Exception {
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            String text = "a" + (char) c + "b";
            String json = written(text);
            for (int i = 0; i < json.length(); i++) assertTrue(json.charAt(i) >= ' ', json);
            if (Character.isSurrogate((char) c)) assertTrue(json.contains("\\" + "u%04x".formatted(c)), json);
            else assertEquals(text, read(json).textValue());
        }
    }

    @Test
    void pairsComeBackAndHalvesOfPairsAreEscaped() throws Exception {
        String smile = new String(Character.toChars(0x1F600));
        assertEquals(smile, read(written(smile)).textValue());
        assertEquals("\"\\" + "ud83d\"", written(smile.substring(0, 1)));
        assertEquals("\"\\" + "ude00\"", written(smile.substring(1)));
        assertEquals("\"\\" + "ude00\\" + "ud83d\"", written("" + smile.charAt(1) + smile.charAt(0)));
    }

    @Test
    void randomTextComesBack() throws Exception {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            String text = random.ints(random.nextInt(30), 0, 0x11000)
                    .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            assertEquals(text, read(written(text)).textValue(), "seed " + seed);
        }
    }

    @Test
    void commasStandBetweenAndNowhereElse() throws Exception {
        var out = new StringBuilder();
        var json = new Json(out);
        json.open('{')
                .key("a")
                .open('[')
                .close(']')
                .key("b")
                .open('[')
                .number(1)
                .newLine()
                .number(-2)
                .close(']');
        json.key("c")
                .open('{')
                .close('}')
                .key("d")
                .text(null)
                .key("e")
                .truth(true)
                .key("f")
                .texts(List.of("x", "y"));
        json.key("g")
                .micros(1_002_003)
                .key("h")
                .micros(5_000)
                .key("i")
                .micros(7)
                .close('}');
        JsonNode read = read(out.toString());
        assertEquals(
                "{\"a\":[],\"b\":[1,-2],\"c\":{},\"d\":null,\"e\":true,\"f\":[\"x\",\"y\"],"
                        + "\"g\":1002.003,\"h\":5,\"i\":0.007}",
                read.toString());
    }

    @Test
    void aWriterThatFailsIsHeardOf() {
        var broken = new Appendable() {
            @Override
            public Appendable append(CharSequence csq) throws IOException {
                throw new IOException("full");
            }

            @Override
            public Appendable append(CharSequence csq, int start, int end) throws IOException {
                throw new IOException("full");
            }

            @Override
            public Appendable append(char c) throws IOException {
                throw new IOException("full");
            }
        };
        assertThrows(UncheckedIOException.class, () -> new Json(broken).text("x"));
    }

    @Test
    void aDumpAsJsonSaysWhatTheDumpSays() throws Exception {
        String odd = "a \"name\" with \\ and \n and \u0001";
        try (var ground = new Ground(Scheduler.builder().workers(2).name("the \"best\" one"), 2)) {
            for (Kind each : Kind.values()) ground.park(each, odd + each);
            FiberDump dump = FiberDump.of(ground.scheduler, Duration.ofSeconds(50));
            JsonNode read = read(dump.toJson());
            assertEquals(dump.scheduler(), read.get("scheduler").textValue());
            assertEquals(dump.time().toString(), read.get("time").textValue());
            assertEquals(dump.state(), read.get("state").textValue());
            assertEquals(dump.queued(), read.get("queued").longValue());
            assertEquals(dump.workers().size(), read.get("workers").size());
            for (int i = 0; i < dump.workers().size(); i++) {
                WorkerView worker = dump.workers().get(i);
                JsonNode same = read.get("workers").get(i);
                assertEquals(worker.thread(), same.get("thread").textValue());
                assertEquals(worker.state().toString(), same.get("state").textValue());
                assertEquals(worker.number(), same.get("number").intValue());
            }
            assertEquals(2, read.get("fibers").size());
            for (int i = 0; i < 2; i++) {
                FiberView fiber = dump.fibers().get(i);
                JsonNode same = read.get("fibers").get(i);
                assertEquals(fiber.name(), same.get("name").textValue());
                assertEquals(fiber.id(), same.get("id").longValue());
                assertEquals(fiber.kind().toString(), same.get("kind").textValue());
                assertEquals(fiber.status().toString(), same.get("status").textValue());
                assertEquals(
                        fiber.waitReason().orElseThrow(), same.get("waitReason").textValue());
                assertTrue(same.get("stackMissing").isNull());
                assertFalse(same.get("cancelled").booleanValue());
                assertEquals(fiber.stack().size(), same.get("stack").size());
                for (int f = 0; f < fiber.stack().size(); f++)
                    assertEquals(
                            fiber.stack().get(f).toString(),
                            same.get("stack").get(f).textValue());
            }
        }
    }
}
