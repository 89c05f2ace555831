package dev.coir.bench.works;

import static dev.coir.bench.works.Round.nanosPerOp;

import com.softwaremill.jox.Channel;
import com.softwaremill.jox.Select;
import java.util.ArrayList;
import java.util.List;

/** jox's channels between the JDK's virtual threads. */
final class JoxWorks implements Peer {
    private static final int PIPE = 100;

    @Override
    public Round work(String name, int size) {
        return switch (name) {
            case "ChannelRoundTrip" -> ops -> nanosPerOp(ops, () -> roundTrips(ops));
            case "ChannelPipeline" -> ops -> nanosPerOp(ops, () -> pipeline(ops));
            case "ChannelSelect" -> ops -> nanosPerOp(ops, () -> selects(ops / 2));
            case "FiberRing" -> ops -> nanosPerOp(ops, () -> ring(size, ops / size));
            default -> throw Peer.unknown(this, name);
        };
    }

    private static void roundTrips(int trips) throws InterruptedException {
        Channel<Integer> there = Channel.newRendezvousChannel();
        Channel<Integer> back = Channel.newRendezvousChannel();
        JdkWorks.both(
                () -> {
                    for (int i = 0; i < trips; i++) {
                        there.send(i);
                        back.receive();
                    }
                },
                () -> {
                    for (int i = 0; i < trips; i++) back.send(there.receive());
                });
    }

    private static void pipeline(int values) throws InterruptedException {
        Channel<Integer> channel = Channel.newBufferedChannel(PIPE);
        JdkWorks.both(
                () -> {
                    for (int i = 0; i < values; i++) channel.send(i);
                },
                () -> {
                    for (int i = 0; i < values; i++) channel.receive();
                });
    }

    private static void selects(int each) throws InterruptedException {
        Channel<Integer> left = Channel.newRendezvousChannel();
        Channel<Integer> right = Channel.newRendezvousChannel();
        for (Channel<Integer> channel : List.of(left, right)) {
            Thread.startVirtualThread(JdkWorks.unchecked(() -> {
                for (int i = 0; i < each; i++) channel.send(i);
            }));
        }
        JdkWorks.root(() -> {
            for (int i = 0; i < 2 * each; i++) Select.<Integer>select(left.receiveClause(), right.receiveClause());
        });
    }

    private static void ring(int threads, int laps) throws InterruptedException {
        List<Channel<Integer>> links = new ArrayList<>();
        for (int i = 0; i < threads; i++) links.add(Channel.newRendezvousChannel());
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            var in = links.get(i);
            var out = links.get((i + 1) % threads);
            boolean last = i == threads - 1;
            all.add(Thread.startVirtualThread(JdkWorks.unchecked(() -> {
                for (int lap = 0; lap < laps; lap++) {
                    int token = in.receive();
                    if (!last || lap < laps - 1) out.send(token);
                }
            })));
        }
        links.getFirst().send(1);
        for (Thread each : all) each.join();
    }
}
