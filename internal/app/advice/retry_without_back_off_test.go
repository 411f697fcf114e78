package advice

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// until reads an order, until that succeeds, and waits before each retry.
func (p program) until(id string, pauses ...time.Duration) {
	p.Helper()
	for try := range len(pauses) + 1 {
		if p.tryGet("orders", item{"id": id}) == nil {
			return
		}
		if try < len(pauses) {
			p.wait(pauses[try])
		}
	}
}

// throttled makes a table whose next reads are throttled.
func throttled(p program, reads int) program {
	p.table("orders", "id")
	p.fail(emulator.Fault{Operations: []string{"GetItem"}, Do: emulator.DoThrottle, Times: reads})
	return p.withoutRetries()
}

func TestRetryWithoutBackOff(t *testing.T) {
	t.Parallel()
	const problem = "1 request was sent again and again without a pause after a failure"
	f := wantOne(t, "retry-without-back-off", "orders", problem, func(p program) {
		p = throttled(p, 4)
		const ms = time.Millisecond
		p.until("1", ms, ms, 2*ms, ms)
	}, stopped)
	want := "fails with ThrottlingException and is sent again 4 times, 4 of them within 10ms each"
	if f.Shown[0].Text != want {
		t.Errorf("%q, want %q", f.Shown[0].Text, want)
	}
}

func TestRetryWithoutBackOffIsSilent(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	wantSilence(t, "retry-without-back-off", map[string]func(program){
		"pauses that double": func(p program) {
			throttled(p, 5).until("1", 50*ms, 100*ms, 200*ms, 400*ms, 800*ms)
		},
		"jitter makes two pauses short": func(p program) {
			throttled(p, 5).until("1", 2*ms, 5*ms, 90*ms, 3*ms, 300*ms)
		},
		"two tries at once": func(p program) { throttled(p, 2).until("1", ms, ms) },
		"most requests wait": func(p program) {
			p = throttled(p, 12)
			p.until("1", 50*ms, 100*ms, 200*ms, 400*ms)
			p.until("2", ms, ms, ms, ms)
		},
		"other requests": func(p program) {
			p = throttled(p, 10)
			for i := range 10 {
				_ = p.tryGet("orders", item{"id": fmt.Sprint(i)})
				p.wait(ms)
			}
		},
		"many users at the same time": func(p program) {
			p = throttled(p, 10)
			var all sync.WaitGroup
			for range 10 {
				all.Go(func() { _ = p.tryGet("orders", item{"id": "1"}) })
			}
			all.Wait()
		},
		"many users of a hot key, one after the other": func(p program) {
			p = throttled(p, 10)
			for range 2 { // all fail, and then all succeed
				for range 10 {
					_ = p.tryGet("orders", item{"id": "1"})
					p.wait(ms)
				}
				p.wait(50 * ms)
			}
		},
		"errors of the program": func(p program) {
			p.table("orders", "id")
			for range 10 {
				_ = p.tryGet("orders", item{"wrong": "1"})
				p.wait(ms)
			}
		},
	}, stopped)
}

// TestFailedRequestsAreForgotten throttles many requests that are not sent again.
func TestFailedRequestsAreForgotten(t *testing.T) {
	t.Parallel()
	s := retryWithoutBackOff.watch(nil).(dynamoDB).watcher.(*retries)
	for i := range 3 * maxFailed {
		s.see(&Request{Entry: &recording.Entry{N: int64(i), Status: 400, Error: "ThrottlingException", Operation: "PutItem"},
			Body: map[string]any{"TableName": fmt.Sprint(i)}})
		if n := len(s.open) + len(s.done) + len(s.popular); n > maxFailed {
			t.Fatalf("after %d requests %d are remembered", i+1, n)
		}
	}
}
