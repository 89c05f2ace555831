package main

import (
	"runtime"
	"sync"
)

const (
	pipe  = 100
	width = 8
)

func work(name string, size int) round {
	switch name {
	case "FiberYield":
		return perOp(func(ops int) { yields(size, ops/size) })
	case "FiberPark":
		return perOp(parkTrips)
	case "ChannelRoundTrip":
		return perOp(roundTrips)
	case "ChannelPipeline":
		return perOp(pipeline)
	case "ChannelSelect":
		return perOp(func(ops int) { selects(ops / 2) })
	case "FiberRing":
		return perOp(func(ops int) { ring(size, ops/size) })
	case "FiberSpawn":
		return perOp(func(ops int) { startAndWait(ops, func() {}) })
	case "Skynet":
		return func(ops int) []float64 { return nanosPerOp(1_000_000, func() { ensureSum(ops, skynetSum(ops)) }) }
	case "ForkJoinTree":
		return func(int) []float64 { return nanosPerOp(1<<size-1, func() { ensureNodes(size, forkJoin(size)) }) }
	case "NestedWait":
		return func(ops int) []float64 {
			return nanosPerOp(ops*nodes(size), func() {
				for i := 0; i < ops; i++ {
					nestedWait(size)
				}
			})
		}
	case "MutexContended":
		return perOp(func(ops int) { mutex(size, ops/size) })
	case "MutexAlone":
		return perOp(func(ops int) { mutex(1, ops) })
	case "Timers":
		return timers
	case "WakeLatency":
		return wakeLatency
	case "StartLatency":
		return startLatency
	case "ParkedMemory":
		return parkedMemory
	case "IdleCpu":
		return func(millis int) []float64 { return idleCpu(size, millis) }
	case "TaskTree":
		return func(int) []float64 { return nanosPerOp(1<<size-1, func() { taskTree(size) }) }
	}
	return nil
}

func perOp(body func(ops int)) round {
	return func(ops int) []float64 { return nanosPerOp(ops, func() { body(ops) }) }
}

func startAndWait(goroutines int, body func()) {
	var all sync.WaitGroup
	all.Add(goroutines)
	for i := 0; i < goroutines; i++ {
		go func() {
			body()
			all.Done()
		}()
	}
	all.Wait()
}

func yields(goroutines, each int) {
	startAndWait(goroutines, func() {
		for i := 0; i < each; i++ {
			runtime.Gosched()
		}
	})
}

// Go has no park of its own; a channel with room for one is what its users wake each other by.
func parkTrips(trips int) {
	ping := make(chan struct{}, 1)
	pong := make(chan struct{}, 1)
	go func() {
		for i := 0; i < trips; i++ {
			<-pong
			ping <- struct{}{}
		}
	}()
	for i := 0; i < trips; i++ {
		pong <- struct{}{}
		<-ping
	}
}

func roundTrips(trips int) {
	there := make(chan int)
	back := make(chan int)
	go func() {
		for i := 0; i < trips; i++ {
			back <- <-there
		}
	}()
	for i := 0; i < trips; i++ {
		there <- i
		<-back
	}
}

func pipeline(values int) {
	channel := make(chan int, pipe)
	go func() {
		for i := 0; i < values; i++ {
			channel <- i
		}
	}()
	for i := 0; i < values; i++ {
		<-channel
	}
}

func selects(each int) {
	left := make(chan int)
	right := make(chan int)
	for _, channel := range []chan int{left, right} {
		channel := channel
		go func() {
			for i := 0; i < each; i++ {
				channel <- i
			}
		}()
	}
	for i := 0; i < 2*each; i++ {
		select {
		case <-left:
		case <-right:
		}
	}
}

func ring(goroutines, laps int) {
	links := make([]chan int, goroutines)
	for i := range links {
		links[i] = make(chan int)
	}
	var all sync.WaitGroup
	all.Add(goroutines)
	for i := range links {
		in, out := links[i], links[(i+1)%goroutines]
		last := i == goroutines-1
		go func() {
			for lap := 0; lap < laps; lap++ {
				token := <-in
				if !last || lap < laps-1 {
					out <- token
				}
			}
			all.Done()
		}()
	}
	links[0] <- 1
	all.Wait()
}

func skynetSum(leaves int) int {
	result := make(chan int)
	go skynet(result, 0, leaves)
	return <-result
}

func skynet(result chan<- int, number, leaves int) {
	if leaves == 1 {
		result <- number
		return
	}
	children := make(chan int)
	share := leaves / 10
	for i := 0; i < 10; i++ {
		go skynet(children, number+i*share, share)
	}
	sum := 0
	for i := 0; i < 10; i++ {
		sum += <-children
	}
	result <- sum
}

func forkJoin(depth int) int {
	if depth == 1 {
		return 1
	}
	children := make(chan int, 2)
	for i := 0; i < 2; i++ {
		go func() { children <- forkJoin(depth - 1) }()
	}
	return 1 + <-children + <-children
}

func nestedWait(depth int) {
	if depth > 0 {
		startAndWait(width, func() { nestedWait(depth - 1) })
	}
}

func mutex(goroutines, each int) {
	var lock sync.Mutex
	added := 0
	startAndWait(goroutines, func() {
		for i := 0; i < each; i++ {
			lock.Lock()
			added++
			lock.Unlock()
		}
	})
	if added != goroutines*each {
		fail("an addition is lost")
	}
}

func taskTree(depth int) {
	var leaves sync.WaitGroup
	leaves.Add(1 << (depth - 1))
	go grow(depth, &leaves)
	leaves.Wait()
}

func grow(depth int, leaves *sync.WaitGroup) {
	burnMicrosecond()
	if depth == 1 {
		leaves.Done()
		return
	}
	go grow(depth-1, leaves)
	go grow(depth-1, leaves)
}

var sink uint64

// The same steps as Burn.java.
func burnMicrosecond() {
	x := uint64(88172645463325252)
	for i := 0; i < 700; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	if x == 0 {
		sink = x
	}
}

func nodes(depth int) int {
	all, level := 0, 1
	for i := 0; i < depth; i++ {
		level *= width
		all += level
	}
	return all
}

func ensureSum(leaves, sum int) {
	if sum != leaves*(leaves-1)/2 {
		fail("skynet: a wrong sum")
	}
}

func ensureNodes(depth, nodes int) {
	if nodes != 1<<depth-1 {
		fail("tree: a wrong number of nodes")
	}
}
