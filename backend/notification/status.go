package notification

import (
	"slices"
	"time"
)

// Statuses of an event.
const (
	Pending      Status = "PENDING"      // not processed yet
	Processing   Status = "PROCESSING"   // a worker has claimed it, or its push waits for the end of quiet hours
	Completed    Status = "COMPLETED"    // final: notified, or switched off by the user
	Failed       Status = "FAILED"       // retried at nextRetryAt; final when that is null
	RateLimited  Status = "RATE_LIMITED" // final: over the rate limit of its category
	Deduplicated Status = "DEDUPLICATED" // final: the same was notified within the window
)

// Statuses returns all statuses, in the document's order.
func Statuses() []Status {
	return []Status{Pending, Processing, Completed, Failed, RateLimited, Deduplicated}
}

// canBecome reports whether a transition is valid (NT-R1). An event in PROCESSING may be claimed again when its
// worker's lease or its user's quiet hours have ended.
func (s Status) canBecome(next Status) bool {
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
	maxRetries = 5 // after the first attempt: the sixth failure is final (NT-R2)

	// leaseDuration is the duration of a claim. While an event is PROCESSING, nextRetryAt is the end of the claim: if the
	// worker dies, the event is processed again then.
	leaseDuration = 5 * time.Minute
	// sendTimeout is the part of leaseDuration that a push may take, so that no other worker pushes the same at that time.
	sendTimeout = 3 * time.Minute

	firstBackoff = time.Minute // before the first retry; doubles with each retry
)

// backoff returns the pause after so many retries: 1, 2, 4, 8 and 16 minutes.
func backoff(retries int) time.Duration { return firstBackoff << min(max(retries, 0), maxRetries) }

// due reports whether a worker may claim an event: it is the condition of the two queries for work (NT-P2).
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

// Final reports whether the event's status is final.
func (e Event) Final() bool {
	return slices.Contains([]Status{Completed, RateLimited, Deduplicated}, e.Status) || e.Status == Failed &&
		e.NextRetryAt == ""
}

// withClaim returns the event as claimed by a worker at now. Every claim counts as a retry, except the first and that
// of a push that has waited for the end of quiet hours. It returns false if the last attempt's worker has died.
func (e Event) withClaim(now time.Time) (Event, bool) {
	if e.Status != Pending && e.PushAfter == "" {
		if e.RetryCount >= maxRetries {
			return e, false
		}
		if e.RetryCount++; e.Status == Processing {
			e.LastError = "the worker did not finish in time"
		}
	}
	e.Status, e.NextRetryAt, e.PushAfter = Processing, moment(now.Add(leaseDuration)), ""
	return e, true
}

// withFinalStatus returns the event with a final status.
func (e Event) withFinalStatus(status Status, now time.Time) Event {
	e.Status, e.ProcessedAt, e.NextRetryAt, e.PushAfter = status, moment(now), "", ""
	return e
}

// withFailure returns the event after a failed attempt: to be retried, or final after the last retry (NT-R2).
func (e Event) withFailure(reason string, now time.Time) Event {
	e.LastError = Text(clip(oneLine(reason), 500))
	if e.RetryCount >= maxRetries {
		return e.withFinalStatus(Failed, now)
	}
	e.Status, e.PushAfter, e.NextRetryAt = Failed, "", moment(now.Add(backoff(e.RetryCount)))
	return e
}

// withPushAfter returns the event whose push waits for the end of quiet hours. It stays in PROCESSING, so that the
// query for pending and failed events does not find it earlier.
func (e Event) withPushAfter(until time.Time) Event {
	e.NextRetryAt, e.PushAfter = moment(until), moment(until)
	return e
}
