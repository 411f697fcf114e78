package fleet

import (
	"container/heap"
	"time"
)

// entry is a time at which a device has something to do: its next event, or a request to send again.
type entry struct {
	at     time.Duration
	device *device
	retry  bool
}

// schedule is a heap of entries, the earliest first; ties are ordered by device, so that a run is repeatable.
type schedule []entry

func (s schedule) Len() int      { return len(s) }
func (s schedule) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s schedule) Less(i, j int) bool {
	if s[i].at != s[j].at {
		return s[i].at < s[j].at
	}
	if s[i].device != s[j].device {
		return s[i].device.plan.Number < s[j].device.plan.Number
	}
	return !s[i].retry && s[j].retry
}

// Push and Pop implement heap.Interface; use push and pop.
func (s *schedule) Push(x any) { *s = append(*s, x.(entry)) }

// Pop removes the last entry of the slice, as container/heap requires.
func (s *schedule) Pop() any {
	last := len(*s) - 1
	e := (*s)[last]
	*s = (*s)[:last]
	return e
}

func (s *schedule) push(e entry) { heap.Push(s, e) }
func (s *schedule) pop() entry   { return heap.Pop(s).(entry) }
