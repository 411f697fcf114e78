package notification

import (
	"testing"
	"time"
)

func start() time.Time { return time.Date(2026, 2, 3, 10, 30, 0, 0, time.UTC) }

// TestTransitions checks the valid transitions: a final status has none, and every path to one passes through
// PROCESSING (NT-R1).
func TestTransitions(t *testing.T) {
	t.Parallel()
	sensible := map[[2]Status]bool{
		{Pending, Processing}: true, {Failed, Processing}: true, {Processing, Processing}: true,
		{Processing, Completed}: true,
		{Processing, Failed}:    true, {Processing, RateLimited}: true, {Processing, Deduplicated}: true,
	}
	for _, from := range Statuses() {
		for _, to := range Statuses() {
			if got := from.canBecome(to); got != sensible[[2]Status{from, to}] {
				t.Errorf("%s to %s: %v", from, to, got)
			}
		}
	}
}

// An invalid transition is never written: there is no database here that could accept it.
func TestInvalidTransitionsAreNotWritten(t *testing.T) {
	t.Parallel()
	for _, from := range Statuses() {
		for _, to := range Statuses() {
			if from.canBecome(to) {
				continue
			}
			if _, err := (&store{}).saveEvent(t.Context(), from, Event{UserID: "ana", Status: to}, "etag"); err == nil {
				t.Errorf("%s to %s is written", from, to)
			}
		}
	}
}

// TestSixthFailureIsFinal goes through all attempts of an event that never succeeds (NT-R2).
func TestSixthFailureIsFinal(t *testing.T) {
	t.Parallel()
	now, e := start(), Event{Status: Pending}
	for failure := 1; failure <= 6; failure++ {
		if !e.due(now) || e.Final() {
			t.Fatalf("before try %d it is not due: %+v", failure, e)
		}
		claimed, more := e.withClaim(now)
		if !more || claimed.Status != Processing || claimed.RetryCount != failure-1 || claimed.due(now) {
			t.Fatalf("try %d: %+v", failure, claimed)
		}
		if e = claimed.withFailure("no\nphone", now); e.Status != Failed || e.LastError != "no phone" {
			t.Fatalf("failure %d: %+v", failure, e)
		}
		if failure == 6 {
			break
		}
		pause := time.Minute << (failure - 1)
		if e.due(now.Add(pause - time.Millisecond)) {
			t.Errorf("failure %d: due before %s", failure, pause)
		}
		now = now.Add(pause)
	}
	if !e.Final() || e.due(now.Add(time.Hour)) || e.RetryCount != 5 || e.ProcessedAt == "" || e.NextRetryAt != "" {
		t.Errorf("after the sixth failure: %+v", e)
	}
}

// TestWorkerCrash checks that an event is claimed again when the lease of a dead worker has ended, and given up after
// the last attempt.
func TestWorkerCrash(t *testing.T) {
	t.Parallel()
	now, e := start(), Event{Status: Pending}
	for try := range 6 {
		claimed, more := e.withClaim(now)
		if !more || claimed.RetryCount != try || (claimed.LastError != "") != (try > 0) {
			t.Fatalf("try %d: %+v", try, claimed)
		}
		if e = claimed; e.due(now.Add(leaseDuration - time.Millisecond)) {
			t.Errorf("try %d: taken from a worker that lives", try)
		}
		now = now.Add(leaseDuration)
		if !e.due(now) {
			t.Errorf("try %d: the lease does not end", try)
		}
	}
	if _, more := e.withClaim(now); more {
		t.Error("a seventh try")
	}
}

// TestQuietHoursAreNotARetry checks that waiting for the end of quiet hours does not count as a retry.
func TestQuietHoursAreNotARetry(t *testing.T) {
	t.Parallel()
	e, _ := Event{Status: Pending}.withClaim(start())
	e = e.withPushAfter(start().Add(8 * time.Hour))
	if e.Status != Processing || e.due(start().Add(leaseDuration)) || !e.due(start().Add(8*time.Hour)) {
		t.Errorf("waiting: %+v", e)
	}
	e, more := e.withClaim(start().Add(8 * time.Hour))
	if !more || e.RetryCount != 0 || e.PushAfter != "" || e.LastError != "" {
		t.Errorf("after the quiet: %+v", e)
	}
}
