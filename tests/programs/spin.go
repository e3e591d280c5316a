// main → a method, in a goroutine: names as Go has them.
package main

type shape struct{ n int }

//go:noinline
func (s *shape) area(k int) int {
	sum := 0
	for i := 0; i < k; i++ {
		sum += i*s.n ^ sum
	}
	return sum
}

//go:noinline
func spin(rounds int) int {
	s, sum := &shape{3}, 0
	for i := 0; i < rounds; i++ {
		sum += s.area(2000)
	}
	return sum
}

func main() {
	done := make(chan int)
	go func() { done <- spin(100000) }()
	<-done
}
