package dev.coir.examples.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code ./coir demo http} and the like, as a process of its own. */
public final class ServerProcess implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile(" at (?:http://)?([0-9.]+):([0-9]+)");

    private final Process process;
    private final BufferedReader output;
    private final InetSocketAddress address;
    private final StringBuilder said = new StringBuilder();

    private ServerProcess(Process process) throws IOException {
        this.process = process;
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        Matcher found = ADDRESS.matcher("");
        while (!found.reset(nextLine()).find()) {
            // lines before the one with the address
        }
        address = new InetSocketAddress(found.group(1), Integer.parseInt(found.group(2)));
    }

    /** Starts one at a free port, behind some other command: {@code sh -c ...}, or none. */
    public static ServerProcess start(List<String> before, String... args) throws IOException {
        return new ServerProcess(launch(before, args));
    }

    /** The bare process. */
    public static Process launch(List<String> before, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        if (ignoresInterrupts()) command.addAll(List.of("env", "--default-signal=INT"));
        command.addAll(before);
        command.add(System.getProperty("java.home") + "/bin/java");
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--add-"))
                .forEach(command::add);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx512m"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.coir.examples.Demo"));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return process;
    }

    /** Whether this process was started in the background of a script: then its children would not hear Ctrl-C either. */
    private static boolean ignoresInterrupts() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) return false;
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("SigIgn:"))
                return (Long.parseUnsignedLong(line.substring(7).trim(), 16) & 1L << 1) != 0;
        }
        return false;
    }

    private String nextLine() throws IOException {
        String line = output.readLine();
        if (line == null) throw new IOException("the server ended: " + said);
        said.append(line).append('\n');
        return line;
    }

    public InetSocketAddress address() {
        return address;
    }

    public String url() {
        return "http://127.0.0.1:" + address.getPort() + "/";
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Memory of the process in bytes, as the system counts it. */
    public long residentBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", String.valueOf(pid()), "status"))) {
            if (line.startsWith("VmRSS:")) return 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
        throw new IOException("no VmRSS");
    }

    /** Memory of its live objects in bytes: collects garbage, and counts what is left. */
    public long liveBytes() throws IOException, InterruptedException {
        String java = System.getProperty("java.home") + "/bin/jcmd";
        var jcmd = new ProcessBuilder(java, String.valueOf(pid()), "GC.class_histogram").start();
        jcmd.getOutputStream().close();
        String last = "";
        for (String line :
                new String(jcmd.getInputStream().readAllBytes(), UTF_8).lines().toList()) {
            if (line.startsWith("Total")) last = line;
        }
        jcmd.waitFor();
        String[] words = last.trim().split("\\s+", -1);
        return Long.parseLong(words[words.length - 1]);
    }

    /** Sends the signal of Ctrl-C, and returns the exit code. */
    public int interrupt() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-INT", String.valueOf(pid())).start().waitFor();
        for (String line = output.readLine(); line != null; line = output.readLine())
            said.append(line).append('\n');
        return process.waitFor();
    }

    /** What it has printed, as far as it was read. */
    public String said() {
        return said.toString();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
