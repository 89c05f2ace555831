package dev.coir.examples.server;

import java.util.Random;

/** What clients send when they go wrong: some proper messages, with characters changed, inserted and left out. */
public final class Nonsense {
    private Nonsense() {}

    /** One to so many of the messages, changed in up to three places; what comes new are some of the odd characters. */
    public static String of(Random random, int mostMessages, String[] messages, String odd) {
        var text = new StringBuilder();
        for (int i = 1 + random.nextInt(mostMessages); i > 0; i--)
            text.append(messages[random.nextInt(messages.length)]);
        for (int i = random.nextInt(4); i > 0; i--) mutate(text, random, odd);
        return text.toString();
    }

    private static void mutate(StringBuilder text, Random random, String odd) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
            case 0 -> text.setCharAt(at, odd.charAt(random.nextInt(odd.length())));
            case 1 -> text.insert(at, odd.charAt(random.nextInt(odd.length())));
            default -> text.delete(at, at + 1 + random.nextInt(8));
        }
        if (text.isEmpty()) text.append('x');
    }
}
