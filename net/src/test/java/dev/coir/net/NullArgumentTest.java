package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every public method of net refuses null at the call, with the name of the parameter as the text. Core has such a test too. */
@Timeout(60)
class NullArgumentTest {
    private final Map<Class<?>, Object> samples = new HashMap<>();
    private final Set<String> accepted = new TreeSet<>();
    private int refused;

    @Test
    void nullIsRefusedAtTheCallWithTheNameOfTheParameter(@TempDir Path folder) throws Exception {
        Path path = Files.createFile(folder.resolve("file"));
        var anywhere = new InetSocketAddress("127.0.0.1", 0);
        try (TcpListener listener = TcpListener.bind(anywhere);
                TcpStream stream = TcpStream.connect(listener.localAddress());
                UdpSocket datagrams = UdpSocket.bind(anywhere);
                AsyncFile file = AsyncFile.open(path)) {
            samples.put(int.class, 1);
            samples.put(long.class, 0L);
            samples.put(boolean.class, true);
            samples.put(String.class, "localhost");
            samples.put(Object.class, 4096);
            samples.put(Path.class, path);
            samples.put(Duration.class, Duration.ofSeconds(1));
            samples.put(ByteBuffer.class, ByteBuffer.allocate(0));
            samples.put(SocketAddress.class, anywhere);
            samples.put(SocketOption.class, StandardSocketOptions.SO_RCVBUF);
            samples.put(SSLContext.class, SSLContext.getDefault());
            samples.put(SSLEngine.class, SSLContext.getDefault().createSSLEngine());
            samples.put(TcpListener.class, listener);
            samples.put(TcpListener.Builder.class, TcpListener.builder());
            samples.put(TcpStream.class, stream.readTimeout(Duration.ofMillis(50))); // nobody answers
            samples.put(UdpSocket.class, datagrams);
            samples.put(AsyncFile.class, file);
            for (Class<?> type : List.of(
                    TcpListener.class, TcpListener.Builder.class, TcpStream.class, UdpSocket.class, AsyncFile.class)) {
                for (Method each : type.getMethods()) {
                    if (each.getDeclaringClass().getName().startsWith("dev.coir.")) check(type, each);
                }
            }
        }
        assertEquals(Set.of(), accepted, () -> String.join("\n", accepted));
        assertEquals(true, refused > 30, () -> "only " + refused + " were tried");
    }

    private void check(Class<?> type, Method call) throws Exception {
        Class<?>[] parameters = call.getParameterTypes();
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i].isPrimitive()) continue;
            check(type, call, i, null);
            if (parameters[i].isArray()) check(type, call, i, Array.newInstance(parameters[i].getComponentType(), 1));
        }
    }

    private void check(Class<?> type, Method call, int place, Object instead) throws Exception {
        Class<?>[] parameters = call.getParameterTypes();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) arguments[i] = i == place ? instead : sample(parameters[i]);
        if (instead != null && arguments.length == 3) arguments[1] = 0; // from the first of the array on
        String what = call + ", parameter " + place + (instead == null ? "" : ", an element");
        call.setAccessible(true); // the declaring class is a base that is not public
        try {
            call.invoke(Modifier.isStatic(call.getModifiers()) ? null : samples.get(type), arguments);
            accepted.add("accepted: " + what);
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            String text = String.valueOf(cause.getMessage());
            if (cause instanceof NullPointerException && text.matches("[a-z]\\w*") && !text.equals("null")) refused++;
            else accepted.add("thrown: " + cause + ": " + what);
        }
    }

    private Object sample(Class<?> type) {
        Object sample = samples.get(type);
        if (sample == null && type.isArray()) sample = Array.newInstance(type.getComponentType(), 0);
        if (sample == null) throw new AssertionError("no sample of " + type + ": add one");
        return sample;
    }
}
