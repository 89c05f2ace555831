package dev.coir.examples;

import dev.coir.executor.Strand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A bank without a lock: every access to the accounts is a task on one strand, so the accounts are plain numbers. Nobody
 * waits to get in; who wants an answer gets a future.
 */
public final class BankStrand {
    private static final int ACCOUNTS = 10;
    private static final int CLERKS = 4;
    private static final int TRANSFERS = 25_000;

    private BankStrand() {}

    private static final class Bank {
        private final Strand strand;
        private final long[] balances = new long[ACCOUNTS]; // touched by tasks of the strand only

        Bank(Strand strand, long each) {
            this.strand = strand;
            strand.execute(() -> Arrays.fill(balances, each));
        }

        void transfer(int from, int to, long amount) {
            strand.execute(() -> {
                if (balances[from] < amount) return; // refused
                balances[from] -= amount;
                balances[to] += amount;
            });
        }

        CompletableFuture<String> report() {
            return CompletableFuture.supplyAsync(
                    () -> {
                        long total = 0;
                        boolean overdrawn = false;
                        for (long balance : balances) {
                            total += balance;
                            overdrawn |= balance < 0;
                        }
                        return "total " + total + ", " + (overdrawn ? "an account is" : "no account") + " overdrawn";
                    },
                    strand);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            Bank bank = new Bank(Strand.over(pool), 100);

            List<Thread> clerks = new ArrayList<>();
            for (int clerk = 0; clerk < CLERKS; clerk++) {
                int seed = clerk;
                clerks.add(Thread.ofPlatform().start(() -> {
                    var random = new Random(seed);
                    for (int i = 0; i < TRANSFERS; i++) {
                        bank.transfer(random.nextInt(ACCOUNTS), random.nextInt(ACCOUNTS), 1 + random.nextInt(50));
                    }
                }));
            }
            for (Thread clerk : clerks) clerk.join();

            System.out.println(CLERKS + " clerks asked for " + CLERKS * TRANSFERS + " transfers");
            System.out.println(bank.report().join());
        }
    }
}
