// Go that calls C, and C that calls Go, which allocates if there is an argument.
package main

/*
extern long back(long);
extern long allocate(long);

static long spin(long n)
{
	volatile long sum = 0;

	for (long i = 0; i < n; i++)
		sum += i * i;
	return sum;
}

static long through(long n)
{
	return back(n) + 1;
}

static long through_to_allocate(long n)
{
	return allocate(n) + 1;
}
*/
import "C"
import (
	"fmt"
	"os"
)

var sink int

//export back
func back(n C.long) C.long {
	for i := 0; i < int(n); i++ {
		sink += i ^ (sink << 1)
	}
	return C.long(sink)
}

//export allocate
func allocate(n C.long) C.long {
	kept := map[int][]byte{}
	for i := 0; i < int(n); i++ {
		kept[i] = make([]byte, 300)
	}
	return C.long(len(kept))
}

func callC() C.long {
	return C.spin(20000)
}

func callBack() C.long {
	return C.through(20000)
}

func callAllocate() C.long {
	return C.through_to_allocate(3000)
}

func main() {
	var sum C.long
	for i := 0; i < 1000 && len(os.Args) > 1; i++ {
		sum += callAllocate()
	}
	for i := 0; i < 20000 && len(os.Args) == 1; i++ {
		sum += callC() + callBack()
	}
	fmt.Println(sum)
}
