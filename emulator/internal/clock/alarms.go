package clock

import "time"

// timer is a function and the time to run it.
type timer struct {
	due    time.Time
	serial uint64 // order of registration, for alarms of the same time
	fn     func()
	index  int // in the heap; -1 when it has been removed
}

// timerHeap is a heap, the earliest first.
type timerHeap []*timer

func (a timerHeap) Len() int { return len(a) }

func (a timerHeap) Less(i, j int) bool {
	if a[i].due.Equal(a[j].due) {
		return a[i].serial < a[j].serial
	}
	return a[i].due.Before(a[j].due)
}

func (a timerHeap) Swap(i, j int) {
	a[i], a[j] = a[j], a[i]
	a[i].index, a[j].index = i, j
}

// Push implements heap.Interface.
func (a *timerHeap) Push(x any) {
	added := x.(*timer)
	added.index = len(*a)
	*a = append(*a, added)
}

// Pop implements heap.Interface.
func (a *timerHeap) Pop() any {
	last := len(*a) - 1
	removed := (*a)[last]
	(*a)[last] = nil
	*a = (*a)[:last]
	removed.index = -1
	return removed
}
