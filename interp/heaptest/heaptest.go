// Package heaptest measures, for tests, how much memory a piece of work holds.
package heaptest

import (
	"runtime"
	"runtime/debug"
	"time"
)

// Top runs work and gives the most bytes of heap that were in use meanwhile,
// above what was in use before. The garbage collector runs often, so that the
// figure is what the work held and not the garbage that happened to lie about.
// It is looked at every few milliseconds: a shorter peak is not seen.
func Top(work func()) int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	before := inUse()
	stop, top := make(chan struct{}), make(chan int64)
	go func() {
		most := before
		for {
			most = max(most, inUse())
			select {
			case <-stop:
				top <- most
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	work()
	close(stop)
	return <-top - before
}

func inUse() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse)
}
