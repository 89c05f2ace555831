package dev.coir.agent;

import java.io.InputStream;
import java.util.Objects;

/** Loads some classes woven, in its own copy. */
final class WovenLoader extends ClassLoader {
    private final Weaver weaver;
    private final String prefix;

    WovenLoader(String prefix, String arguments) {
        super(WovenLoader.class.getClassLoader());
        this.prefix = prefix;
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
            if (!name.startsWith(prefix)) return super.loadClass(name, resolve);
            try {
                byte[] bytes = bytesOf(name);
                byte[] woven = weaver.weave(name, bytes);
                byte[] used = woven == null ? bytes : woven;
                return defineClass(name, used, 0, used.length);
            } catch (Exception e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
