package engine

import (
	"container/heap"
	"math"
	"time"
)

// soon is what has to happen at an instant and need not survive a crash: the end
// of an attempt's time, an answer that takes its time under a virtual clock. It
// belongs to the loop.
type soon struct {
	heap  soonHeap
	order uint64
}

type soonItem struct {
	at    int64
	order uint64 // of setting: of two at one instant the first goes first
	f     func()
	gone  bool
}

type soonHeap []*soonItem

func (h soonHeap) Len() int { return len(h) }
func (h soonHeap) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].order < h[j].order
}
func (h soonHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *soonHeap) Push(x any)   { *h = append(*h, x.(*soonItem)) }
func (h *soonHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return x
}

// set has f called at the instant; the item can be called off.
func (s *soon) set(at int64, f func()) *soonItem {
	s.order++
	it := &soonItem{at: at, order: s.order, f: f}
	heap.Push(&s.heap, it)
	return it
}

// off calls an item off. It leaves the heap when its time comes, or is dropped
// at once if it is the next.
func (s *soon) off(it *soonItem) {
	if it != nil {
		it.gone = true
		s.trim()
	}
}

func (s *soon) trim() {
	for len(s.heap) > 0 && s.heap[0].gone {
		heap.Pop(&s.heap)
	}
}

// next is when the next item is due, math.MaxInt64 if there is none.
func (s *soon) next() int64 {
	s.trim()
	if len(s.heap) == 0 {
		return math.MaxInt64
	}
	return s.heap[0].at
}

// run calls what is due; it reports whether anything was.
func (s *soon) run(now int64) bool {
	ran := false
	for s.next() <= now {
		it := heap.Pop(&s.heap).(*soonItem)
		it.f()
		ran = true
	}
	return ran
}

// defaultStepTimeout is how long a step may be driven if it does not say.
const defaultStepTimeout = 30 * time.Second

// A budget is the time that an attempt may be driven: computing, or in an
// outside call. Waiting and the time while no process runs do not count.
type budget struct {
	limit time.Duration // 0: none
	used  time.Duration
	since int64 // engine time when the stretch under way began
}

// begin starts a stretch and gives the instant at which the budget would be
// used up, 0 if it has no bound.
func (b *budget) begin(now int64) int64 {
	b.since = now
	if b.limit == 0 {
		return 0
	}
	return now + int64(b.limit-b.used)
}

// left is what remains of the time, at least a nanosecond; 0 if it has no bound.
func (b *budget) left() time.Duration {
	if b.limit == 0 {
		return 0
	}
	return max(b.limit-b.used, 1)
}

func (b *budget) end(now int64) { b.used += time.Duration(now - b.since) }

// over reports whether the stretch under way has used the budget up.
func (b *budget) over(now int64) bool {
	return b.limit > 0 && b.used+time.Duration(now-b.since) >= b.limit
}
