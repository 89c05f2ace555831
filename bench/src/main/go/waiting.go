package main

import (
	"runtime"
	"sort"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// As Timers.java: all set before the first is due, and the waiting in between does not count.
func timers(count int) []float64 {
	start := time.Now()
	horizon := 3 * time.Microsecond * time.Duration(count)
	if horizon < 300*time.Millisecond {
		horizon = 300 * time.Millisecond
	}
	due := start.Add(horizon)
	var set int64
	var allSetAt time.Time
	var fired sync.WaitGroup
	fired.Add(count)
	for i := 0; i < count; i++ {
		i := i
		go func() {
			now := time.Now()
			if atomic.AddInt64(&set, 1) == int64(count) {
				allSetAt = now
			}
			wait := due.Sub(now)
			if wait < 1 {
				wait = 1
			}
			time.Sleep(wait + time.Duration(i%1000)*time.Microsecond)
			fired.Done()
		}()
	}
	fired.Wait()
	end := time.Now()
	if allSetAt.After(due) {
		due = allSetAt
	}
	return []float64{float64((allSetAt.Sub(start) + end.Sub(due)).Nanoseconds()) / float64(count)}
}

const pause = 200 * time.Microsecond

type latency struct {
	sentAt   time.Time
	arrivals int32
	found    []float64
}

func (l *latency) arrived() {
	l.found = append(l.found, float64(time.Since(l.sentAt).Nanoseconds())/1e3)
	atomic.AddInt32(&l.arrivals, 1)
}

// As Latency.java. The waking goroutine has a thread of its own and sleeps in the kernel, as an outside thread would.
func (l *latency) run(times int, wake func()) []float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for i := 0; i < times; i++ {
		nanosleep(pause)
		l.sentAt = time.Now()
		wake()
		for atomic.LoadInt32(&l.arrivals) == int32(i) {
			nanosleep(pause)
		}
	}
	sort.Float64s(l.found)
	return []float64{l.percentile(0.5), l.percentile(0.99), l.percentile(0.999)}
}

func nanosleep(d time.Duration) {
	request := syscall.NsecToTimespec(d.Nanoseconds())
	syscall.Nanosleep(&request, nil)
}

func (l *latency) percentile(share float64) float64 {
	at := int(share*float64(len(l.found))+0.5) - 1
	if at < 0 {
		at = 0
	}
	return l.found[at]
}

func wakeLatency(times int) []float64 {
	l := &latency{}
	permit := make(chan struct{}, 1)
	go func() {
		for i := 0; i < times; i++ {
			<-permit
			l.arrived()
		}
	}()
	return l.run(times, func() { permit <- struct{}{} })
}

func startLatency(times int) []float64 {
	l := &latency{}
	return l.run(times, func() { go l.arrived() })
}

// Starts goroutines that wait; returns when all do. What it returns lets them go and waits for their end.
func park(count int) func() {
	gate := make(chan struct{})
	var waiting, gone sync.WaitGroup
	waiting.Add(count)
	gone.Add(count)
	for i := 0; i < count; i++ {
		go func() {
			waiting.Done()
			<-gate
			gone.Done()
		}()
	}
	waiting.Wait()
	return func() {
		close(gate)
		gone.Wait()
	}
}

func parkedMemory(count int) []float64 {
	before := usedMemory()
	release := park(count)
	after := usedMemory()
	release()
	return []float64{(after - before) / float64(count)}
}

// Heap and stacks: a goroutine's stack is not on its heap.
func usedMemory() float64 {
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return float64(memory.HeapAlloc + memory.StackInuse)
}

func idleCpu(count, millis int) []float64 {
	release := park(count)
	time.Sleep(500 * time.Millisecond)
	before := processCpu()
	start := time.Now()
	time.Sleep(time.Duration(millis) * time.Millisecond)
	wall := time.Since(start)
	used := processCpu() - before
	release()
	return []float64{100 * float64(used) / float64(wall)}
}

func processCpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err.Error())
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
