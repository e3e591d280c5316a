// What a Go program does on more than one stack: it allocates, collects, parks and wakes goroutines.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

type node struct {
	left, right *node
	room        [4]int
}

func build(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{left: build(depth - 1), right: build(depth - 1)}
}

func churn(m map[string][]byte, i int) {
	m[strconv.Itoa(i%5000)] = append([]byte(nil), make([]byte, 64+i%512)...)
}

// Has it had the processor for so long?  On a busy machine that takes a while.
func isOver(until time.Duration) bool {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano()+used.Stime.Nano()) >= until
}

func allocate(until time.Duration) {
	m := map[string][]byte{}
	kept := build(14)
	for i := 0; !isOver(until); i++ {
		kept.left = build(10)
		for k := 0; k < 1000; k++ {
			churn(m, i+k)
		}
	}
}

func worker(in <-chan []int, out chan<- int, done *sync.WaitGroup) {
	defer done.Done()
	for v := range in {
		sum := 0
		for _, x := range v {
			sum += x * x
		}
		out <- sum
	}
}

func communicate(until time.Duration) {
	in, out := make(chan []int), make(chan int, 10)
	var done sync.WaitGroup
	for i := 0; i < 1000; i++ {
		done.Add(1)
		go worker(in, out, &done)
	}
	go func() {
		for range out {
		}
	}()
	for !isOver(until) {
		for i := 0; i < 100; i++ {
			in <- make([]int, 200)
		}
	}
	close(in)
	done.Wait()
}

// Its stack is many times longer than what is copied of it, or followed by frame pointers.
func recurse(depth int) int {
	if depth == 0 {
		sum := 0
		for i := 0; i < 100000; i++ {
			sum += i ^ sum
		}
		return sum
	}
	return recurse(depth-1) + depth
}

func descend(until time.Duration) {
	for !isOver(until) {
		recurse(20000)
	}
}

func main() {
	seconds, _ := strconv.ParseFloat(os.Args[2], 64)
	until := time.Duration(seconds * 1e9)
	switch os.Args[1] {
	case "allocate":
		allocate(until)
	case "communicate":
		communicate(until)
	case "descend":
		descend(until)
	}
	fmt.Println("done")
}
