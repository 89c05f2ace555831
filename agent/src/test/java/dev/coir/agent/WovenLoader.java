package dev.coir.agent;

import dev.coir.agent.boot.Poll;
import java.io.InputStream;
import java.util.Objects;

/** Loads some classes woven, in its own copy. */
final class WovenLoader extends ClassLoader {
    private final Weaver weaver;
    private final String prefix;

    private final boolean ownPoll;

    WovenLoader(String prefix, String arguments) {
        this(prefix, arguments, false);
    }

    /** With a poll of its own, its woven classes are the only ones that poll there, and nobody has ever asked. */
    WovenLoader(String prefix, String arguments, boolean ownPoll) {
        super(WovenLoader.class.getClassLoader());
        this.prefix = prefix;
        this.ownPoll = ownPoll;
        this.weaver = new Weaver(AgentArguments.parse(arguments));
    }

    static byte[] bytesOf(String name) throws Exception {
        String path = "/" + name.replace('.', '/') + ".class";
        try (InputStream in = Objects.requireNonNull(WovenLoader.class.getResourceAsStream(path), name)) {
            return in.readAllBytes();
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) return loaded;
            boolean isWoven = name.startsWith(prefix);
            if (!isWoven && !(ownPoll && name.equals(Poll.class.getName()))) return super.loadClass(name, resolve);
            try {
                byte[] bytes = bytesOf(name);
                byte[] woven = isWoven ? weaver.weave(name, bytes) : null;
                byte[] used = woven == null ? bytes : woven;
                return defineClass(name, used, 0, used.length);
            } catch (Exception e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
