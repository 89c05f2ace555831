package dev.coir.bench.works

import java.util.concurrent.CountDownLatch
import kotlin.time.Duration.Companion.nanoseconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.yield

/**
 * Kotlin's coroutines on Dispatchers.Default. The number of its threads is the flag
 * `kotlinx.coroutines.scheduler.core.pool.size`, set by whoever starts the JVM.
 */
class KotlinWorks : Peer {
    private val scope = CoroutineScope(Dispatchers.Default)

    override fun work(name: String, size: Int): Round =
        when (name) {
            "FiberYield" -> perOp { ops -> yields(size, ops / size) }
            "FiberPark" -> perOp { ops -> parkTrips(ops) }
            "ChannelRoundTrip" -> perOp { ops -> roundTrips(ops) }
            "ChannelPipeline" -> perOp { ops -> pipeline(ops) }
            "ChannelSelect" -> perOp { ops -> selects(ops / 2) }
            "FiberRing" -> perOp { ops -> ring(size, ops / size) }
            "FiberSpawn" -> perOp { ops -> spawn(ops) }
            "Skynet" -> Round { ops -> Round.millis { root { Trees.ensureSum(ops.toLong(), skynet(0, ops)) } } }
            "ForkJoinTree" ->
                Round { Round.nanosPerOp((1L shl size) - 1) { root { Trees.ensureNodes(size, forkJoin(size)) } } }
            "NestedWait" ->
                Round { ops ->
                    Round.nanosPerOp(ops.toLong() * Trees.nodes(WIDTH, size)) {
                        root { repeat(ops) { nestedWait(size) } }
                    }
                }
            "MutexContended" -> perOp { ops -> mutex(size, ops / size) }
            "MutexAlone" -> perOp { ops -> mutex(1, ops) }
            "Timers" -> Round { ops -> timers(ops) }
            "WakeLatency" -> Round { times -> wakeLatency(times) }
            "StartLatency" -> Round { times -> startLatency(times) }
            "ParkedMemory" -> Parked.memory { fibers -> park(fibers) }
            "IdleCpu" -> Parked.idleCpu(size) { fibers -> park(fibers) }
            "TaskTree" -> Round { Round.nanosPerOp((1L shl size) - 1) { taskTree(size) } }
            else -> throw Peer.unknown(this, name)
        }

    private fun perOp(body: suspend CoroutineScope.(Int) -> Unit) =
        Round { ops -> Round.nanosPerOp(ops.toLong()) { root { body(ops) } } }

    private fun root(body: suspend CoroutineScope.() -> Unit) = runBlocking(Dispatchers.Default, body)

    private suspend fun yields(coroutines: Int, each: Int) = coroutineScope {
        repeat(coroutines) { launch { repeat(each) { yield() } } }
    }

    private suspend fun parkTrips(trips: Int) = coroutineScope {
        val ping = Semaphore(1, acquiredPermits = 1)
        val pong = Semaphore(1, acquiredPermits = 1)
        launch {
            repeat(trips) {
                pong.acquire()
                ping.release()
            }
        }
        repeat(trips) {
            pong.release()
            ping.acquire()
        }
    }

    private suspend fun roundTrips(trips: Int) = coroutineScope {
        val there = Channel<Int>()
        val back = Channel<Int>()
        launch { repeat(trips) { back.send(there.receive()) } }
        repeat(trips) {
            there.send(it)
            back.receive()
        }
    }

    private suspend fun pipeline(values: Int) = coroutineScope {
        val channel = Channel<Int>(PIPE)
        launch { repeat(values) { channel.send(it) } }
        repeat(values) { channel.receive() }
    }

    private suspend fun selects(each: Int) = coroutineScope {
        val left = Channel<Int>()
        val right = Channel<Int>()
        for (channel in listOf(left, right)) launch { repeat(each) { channel.send(it) } }
        repeat(2 * each) {
            select {
                left.onReceive {}
                right.onReceive {}
            }
        }
    }

    private suspend fun ring(coroutines: Int, laps: Int) = coroutineScope {
        val links = List(coroutines) { Channel<Int>() }
        for (i in 0 until coroutines) {
            val input = links[i]
            val output = links[(i + 1) % coroutines]
            val last = i == coroutines - 1
            launch {
                for (lap in 0 until laps) {
                    val token = input.receive()
                    if (!last || lap < laps - 1) output.send(token)
                }
            }
        }
        links[0].send(1)
    }

    private suspend fun spawn(coroutines: Int) = coroutineScope { repeat(coroutines) { launch {} } }

    private suspend fun skynet(number: Long, leaves: Int): Long {
        if (leaves == 1) return number
        val share = leaves / 10
        return coroutineScope {
            List(10) { async { skynet(number + it.toLong() * share, share) } }.sumOf { it.await() }
        }
    }

    private suspend fun forkJoin(depth: Int): Int {
        if (depth == 1) return 1
        return coroutineScope {
            val left = async { forkJoin(depth - 1) }
            val right = async { forkJoin(depth - 1) }
            1 + left.await() + right.await()
        }
    }

    private suspend fun nestedWait(depth: Int) {
        if (depth > 0) coroutineScope { repeat(WIDTH) { launch { nestedWait(depth - 1) } } }
    }

    private suspend fun mutex(coroutines: Int, each: Int) {
        val mutex = Mutex()
        var guarded = 0L
        coroutineScope { repeat(coroutines) { launch { repeat(each) { mutex.withLock { guarded++ } } } } }
        check(guarded == coroutines.toLong() * each) { "added: $guarded" }
    }

    private fun timers(coroutines: Int): DoubleArray {
        val timers = Timers(coroutines)
        scope.launch {
            repeat(coroutines) {
                launch {
                    delay(timers.sleepNanos(it).nanoseconds)
                    timers.fired()
                }
            }
        }
        return timers.await()
    }

    private fun wakeLatency(times: Int): DoubleArray {
        val latency = Latency()
        val permit = Semaphore(1, acquiredPermits = 1)
        scope.launch {
            repeat(times) {
                permit.acquire()
                latency.arrived()
            }
        }
        return latency.run(times) { permit.release() }
    }

    private fun startLatency(times: Int): DoubleArray {
        val latency = Latency()
        return latency.run(times) { scope.launch { latency.arrived() } }
    }

    private fun park(coroutines: Int): Parked {
        val gate = CompletableDeferred<Unit>()
        val waiting = CountDownLatch(coroutines)
        val gone = CountDownLatch(coroutines)
        scope.launch {
            repeat(coroutines) {
                launch {
                    waiting.countDown()
                    gate.await()
                    gone.countDown()
                }
            }
        }
        waiting.await()
        return Parked {
            gate.complete(Unit)
            gone.await()
        }
    }

    private fun taskTree(depth: Int) {
        val leaves = CountDownLatch(1 shl (depth - 1))
        scope.launch { grow(depth, leaves) }
        leaves.await()
    }

    private fun grow(depth: Int, leaves: CountDownLatch) {
        Burn.microsecond()
        if (depth == 1) {
            leaves.countDown()
        } else {
            scope.launch { grow(depth - 1, leaves) }
            scope.launch { grow(depth - 1, leaves) }
        }
    }

    private companion object {
        const val PIPE = 100
        const val WIDTH = 8
    }
}
