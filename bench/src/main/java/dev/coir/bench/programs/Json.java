package dev.coir.bench.programs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON parser by recursive descent. */
public final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Parses a document.
     *
     * @param text the document
     * @return maps, lists, strings, numbers, booleans or null
     */
    public static @Nullable Object parse(String text) {
        return new Json(text).value();
    }

    /**
     * A document to parse.
     *
     * @param entries how many objects it has
     * @return its text
     */
    public static String sample(int entries) {
        var text = new StringBuilder("[");
        for (int i = 0; i < entries; i++) {
            if (i > 0) text.append(", ");
            text.append("{\"id\": ").append(i).append(", \"name\": \"item \\\"").append(i * 31);
            text.append("\\\" of many\", \"price\": ").append(i * 0.25).append(", \"tags\": [\"a\", \"bc\", \"def\"],");
            text.append(" \"stock\": {\"here\": true, \"there\": false, \"else\": null}}");
        }
        return text.append("]").toString();
    }

    private @Nullable Object value() {
        skipBlanks();
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        at++;
        while (!ends('}')) {
            String key = string();
            skipBlanks();
            expect(':');
            map.put(key, value());
        }
        return map;
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> list = new ArrayList<>();
        at++;
        while (!ends(']')) list.add(value());
        return list;
    }

    /** Skips a comma; whether the closing mark came instead. */
    private boolean ends(char mark) {
        skipBlanks();
        if (text.charAt(at) == ',') {
            at++;
            skipBlanks();
        }
        if (text.charAt(at) != mark) return false;
        at++;
        return true;
    }

    private String string() {
        expect('"');
        var chars = new StringBuilder();
        while (true) {
            char next = text.charAt(at++);
            if (next == '"') return chars.toString();
            chars.append(next == '\\' ? text.charAt(at++) : next);
        }
    }

    private Double number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
        return Double.valueOf(text.substring(start, at));
    }

    private @Nullable Object word(String word, @Nullable Object meaning) {
        if (!text.startsWith(word, at)) throw new IllegalArgumentException("at " + at + ": no " + word);
        at += word.length();
        return meaning;
    }

    private void expect(char mark) {
        if (text.charAt(at++) != mark) throw new IllegalArgumentException("at " + (at - 1) + ": no " + mark);
    }

    private void skipBlanks() {
        while (at < text.length() && text.charAt(at) <= ' ') at++;
    }
}
