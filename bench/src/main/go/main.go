// The Go side of the comparison: does one work, a round at each command. The protocol is described in
// dev.coir.bench.works.Child.
//
//	peer WORKERS WORK SIZE
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A round does its work once, with so many operations, and gives its figures.
type round func(ops int) []float64

func main() {
	if len(os.Args) != 4 {
		fail("usage: peer WORKERS WORK SIZE")
	}
	runtime.GOMAXPROCS(number(os.Args[1]))
	run := work(os.Args[2], number(os.Args[3]))
	if run == nil {
		fail("Go has no work " + os.Args[2])
	}
	fmt.Println("ready")
	serve(run)
}

func serve(run round) {
	commands := bufio.NewScanner(os.Stdin)
	for commands.Scan() {
		words := strings.Fields(commands.Text())
		switch words[0] {
		case "warm":
			fmt.Println("warmed", warm(run, number(words[1]), number(words[2])))
		case "round":
			fmt.Print("figures")
			for _, figure := range run(number(words[1])) {
				fmt.Print(" ", figure)
			}
			fmt.Println()
		default:
			fail("no command " + commands.Text())
		}
	}
}

func warm(run round, millis, ops int) int {
	end := time.Now().Add(time.Duration(millis) * time.Millisecond)
	rounds := 0
	for rounds < 2 || time.Now().Before(end) {
		run(ops)
		rounds++
	}
	return rounds
}

func nanosPerOp(ops int, body func()) []float64 {
	start := time.Now()
	body()
	return []float64{float64(time.Since(start).Nanoseconds()) / float64(ops)}
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		fail("not a number: " + text)
	}
	return value
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}
