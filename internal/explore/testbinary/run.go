package testbinary

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/explore"
)

// maxRequests is the number of requests of a run that are kept: the first ones.
const maxRequests = 100_000

// run runs the test with a plan. alive reports whether the worker can run another.
func (w *worker) run(ctx context.Context, p explore.Plan, limit time.Duration) (o *explore.Outcome, alive bool) {
	var output tail
	o = &explore.Outcome{}
	defer func() { o.Output = output.String() }()
	if _, err := io.WriteString(w.stdin, encodePlan(p)); err != nil {
		o.Reason = "the test process ended: " + w.ended()
		return o, false
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	for {
		select {
		case line, open := <-w.lines:
			if !open {
				o.Reason = "the test process ended: " + w.ended()
				return o, false
			}
			text, isMessage := strings.CutPrefix(line, w.mark)
			if !isMessage {
				output.add(line)
				continue
			}
			if !w.ready { // the time of the start is not the run's
				w.ready = true
				late.Reset(limit)
				continue
			}
			if w.receive(o, text) {
				return o, true
			}
		case <-late.C:
			o.Reason = "the test did not end within " + limit.String()
			return o, false
		case <-ctx.Done():
			return o, false
		}
	}
}

// receive adds a message of the worker to the outcome, and reports whether the run has ended.
func (w *worker) receive(o *explore.Outcome, text string) (ended bool) {
	var m message
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		o.Reason = "a message of the test process cannot be read: " + err.Error()
		return true
	}
	if m.Request != nil && len(o.Requests) < maxRequests {
		o.Requests = append(o.Requests, *m.Request)
	}
	if m.Passed == nil {
		return false
	}
	if o.Passed = *m.Passed; !o.Passed {
		o.Reason = "the test failed"
	}
	return true
}
