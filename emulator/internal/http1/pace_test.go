package http1

import (
	"testing"
	"time"
)

// A connection yields if and only if it has more than 10,000 requests a second.
func TestFastConnectionsYield(t *testing.T) {
	t.Parallel()
	var p pace
	now := time.Unix(0, 0)
	after := func(n int, gap time.Duration) (yielded int) {
		for range n {
			now = now.Add(gap)
			if p.next(now) {
				yielded++
			}
		}
		return yielded
	}
	if n := after(80, 101*time.Microsecond); n != 0 {
		t.Errorf("a slow connection yielded at %d of 80 requests", n)
	}
	if n := after(80, 20*time.Microsecond); n != 80-paceWindow+1 {
		t.Errorf("a fast connection yielded at %d of 80 requests", n)
	}
	after(paceWindow, time.Millisecond)
	if n := after(80, time.Millisecond); n != 0 {
		t.Errorf("a connection that is slow again yielded at %d of 80 requests", n)
	}
}
