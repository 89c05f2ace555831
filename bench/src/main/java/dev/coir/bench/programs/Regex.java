package dev.coir.bench.programs;

/** A backtracking matcher of literals, {@code .}, {@code *}, {@code ^} and {@code $}. */
public final class Regex {
    private final String pattern;

    /**
     * A matcher.
     *
     * @param pattern what to look for
     */
    public Regex(String pattern) {
        this.pattern = pattern;
    }

    /**
     * Counts where matches begin.
     *
     * @param text where to look
     * @return how many
     */
    public int count(String text) {
        int found = 0;
        for (int i = 0; i <= text.length(); i++) if (matchHere(0, text, i)) found++;
        return found;
    }

    private boolean matchHere(int p, String text, int at) {
        if (p == pattern.length()) return true;
        if (p + 1 < pattern.length() && pattern.charAt(p + 1) == '*')
            return matchStar(pattern.charAt(p), p + 2, text, at);
        if (pattern.charAt(p) == '$' && p + 1 == pattern.length()) return at == text.length();
        return at < text.length() && matchOne(pattern.charAt(p), text.charAt(at)) && matchHere(p + 1, text, at + 1);
    }

    private boolean matchStar(char repeated, int p, String text, int from) {
        int at = from;
        while (true) {
            if (matchHere(p, text, at)) return true;
            if (at >= text.length() || !matchOne(repeated, text.charAt(at))) return false;
            at++;
        }
    }

    private static boolean matchOne(char wanted, char found) {
        return wanted == '.' || wanted == found;
    }
}
