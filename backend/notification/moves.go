package notification

import (
	"slices"
	"time"
)

// Statuses of an event.
const (
	Pending      Status = "PENDING"      // nobody has taken it up yet
	Processing   Status = "PROCESSING"   // a worker has it, or its push waits for the end of quiet
	Completed    Status = "COMPLETED"    // final: told, or switched off by the user
	Failed       Status = "FAILED"       // tried again at nextRetryAt; final when that is null
	RateLimited  Status = "RATE_LIMITED" // final: over the rate of its category
	Deduplicated Status = "DEDUPLICATED" // final: the same was told within the window
)

// Statuses are all, in the document's order.
func Statuses() []Status {
	return []Status{Pending, Processing, Completed, Failed, RateLimited, Deduplicated}
}

// mayBecome are the sensible moves (NT-R1). One in process may be taken up again, when its worker's lease or its user's
// quiet has ended.
func (s Status) mayBecome(next Status) bool {
	switch s {
	case Pending:
		return next == Processing
	case Processing:
		return next != Pending
	case Failed:
		return next == Processing
	}
	return false
}

const (
	maxRetries = 5 // after the first try: the sixth failure is final (NT-R2)

	// leaseTime is how long a claim holds. While an event is in process, nextRetryAt is the end of the claim: a worker
	// that dies leaves it, and the event is taken up again then.
	leaseTime = 5 * time.Minute
	// sendingTime is how much of it a push may take, so that nobody else pushes the same meanwhile.
	sendingTime = 3 * time.Minute

	firstBackoff = time.Minute // before the first retry; it doubles from retry to retry
)

// backoff is the pause before the next try of an event that has been retried so often: 1, 2, 4, 8 and 16 minutes.
func backoff(retries int) time.Duration { return firstBackoff << min(max(retries, 0), maxRetries) }

// due reports whether a worker may take an event up: what the two queries for work find (NT-P2).
func (e Event) due(now time.Time) bool {
	switch e.Status {
	case Pending:
		return true
	case Failed:
		return e.RetryCount < maxRetries && e.NextRetryAt != "" && e.NextRetryAt <= moment(now)
	case Processing:
		return e.NextRetryAt != "" && e.NextRetryAt <= moment(now)
	}
	return false
}

// Final reports whether nothing more will become of the event.
func (e Event) Final() bool {
	return slices.Contains([]Status{Completed, RateLimited, Deduplicated}, e.Status) || e.Status == Failed && e.NextRetryAt == ""
}

// claimed is the event in the hands of a worker from now on. Every claim but the first, and but that of a push which
// has waited for the end of quiet, is a retry. False: it had its last try, and the worker of that died.
func (e Event) claimed(now time.Time) (Event, bool) {
	if e.Status != Pending && e.PushAfter == "" {
		if e.RetryCount >= maxRetries {
			return e, false
		}
		if e.RetryCount++; e.Status == Processing {
			e.LastError = "the worker did not finish in time"
		}
	}
	e.Status, e.NextRetryAt, e.PushAfter = Processing, moment(now.Add(leaseTime)), ""
	return e, true
}

// ended is the event in a final status.
func (e Event) ended(as Status, now time.Time) Event {
	e.Status, e.ProcessedAt, e.NextRetryAt, e.PushAfter = as, moment(now), "", ""
	return e
}

// failed is the event after a try that failed: to be tried again, or for good after the last retry (NT-R2).
func (e Event) failed(why string, now time.Time) Event {
	e.LastError = Text(clip(oneLine(why), 500))
	if e.RetryCount >= maxRetries {
		return e.ended(Failed, now)
	}
	e.Status, e.PushAfter, e.NextRetryAt = Failed, "", moment(now.Add(backoff(e.RetryCount)))
	return e
}

// waiting is the event whose push waits for the end of quiet: in process, for no query that looks for pending and
// failed ones shall find it before.
func (e Event) waiting(until time.Time) Event {
	e.NextRetryAt, e.PushAfter = moment(until), moment(until)
	return e
}
