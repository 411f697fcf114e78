package telemetry

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

const (
	// A request's readings are written concurrently, each in its own transaction (TL-D3: markers and readings of 100
	// would be 200 actions, and a transaction allows 100). 16 per request and 256 in all keep a full request near 100
	// ms at AWS's 10 to 15 ms per transaction, and prevent one sender from taking all.
	maxTransactionsRequest = 16
	maxTransactions        = 256

	// Twice the requests that these keep busy are processed concurrently. Others wait in order of arrival for up to
	// maxWait and then get a 503: processing all of them at once would finish none in time.
	maxRequests = 2 * maxTransactions / maxTransactionsRequest
	maxWait     = 5 * time.Second

	// Conflicts and throttling are retried after about 10 ms, doubled each time up to 640 ms: about 3 seconds in all.
	maxAttempts = 10
	firstPause  = 10 * time.Millisecond
	maxPause    = 640 * time.Millisecond

	markerRetention = 30 * 24 * time.Hour // TL-R8
)

// Outcome is the result of one reading.
type Outcome string

// The outcomes of a reading.
const (
	Stored    Outcome = "stored"
	Duplicate Outcome = "duplicate"
	Rejected  Outcome = "rejected"
)

// Result is the response for one reading of a request.
type Result struct {
	BatchID string  `json:"batch_id" doc:"As sent, up to 256 bytes" example:"b-17"`
	Status  Outcome `json:"status" enum:"stored,duplicate,rejected" example:"rejected"`
	Reason  string  `json:"reason,omitempty" doc:"Why it was rejected, starting with the field" example:"boot_id: must be a UUID of version 4"`
}

// Results is the response to a request, in the order of its readings.
type Results struct {
	Results   []Result `json:"results" nullable:"false" doc:"In the order of the request"`
	Stored    int      `json:"stored" example:"0"`
	Duplicate int      `json:"duplicate" doc:"Already stored" example:"0"`
	Rejected  int      `json:"rejected" example:"1"`
}

// ingest ingests the body of a request of 1 to 100 readings (TL-P7, TL-R9, TL-R13). An error means that the outcome of
// some readings is unknown; the sender repeats the request, and what was stored is then a duplicate.
func (s *Service) ingest(ctx context.Context, body []byte) (Results, error) {
	release, err := s.acquireRequestSlot(ctx, maxWait)
	if err != nil {
		return Results{}, err
	}
	defer release()
	readings, err := parseReadings(body)
	if err != nil {
		return Results{}, err
	}
	senders, err := s.senders(ctx, readings)
	if err != nil {
		return Results{}, err
	}
	out := Results{Results: make([]Result, len(readings))}
	var toStore []int
	seen := make(map[string]string, len(readings))
	for i := range readings {
		out.Results[i] = s.precheck(&readings[i], senders, seen)
		if out.Results[i].Status == "" {
			toStore = append(toStore, i)
		}
	}
	err = s.storeAll(ctx, readings, toStore, out.Results)
	if err == nil {
		s.recordActivity(ctx, senders)
	}
	s.count(&out)
	return out, err
}

// acquireRequestSlot waits for one of the slots for requests in progress; release frees it. Errors: ddb.ErrBusy when
// none became free in time.
func (s *Service) acquireRequestSlot(ctx context.Context, timeout time.Duration) (release func(), err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, ddb.ErrBusy)
	defer cancel()
	select {
	case s.requestSlots <- struct{}{}:
		return func() { <-s.requestSlots }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// senders returns the registered devices that sent the valid readings.
func (s *Service) senders(ctx context.Context, readings []incomingReading) (map[string]sender, error) {
	var ids []string
	seen := map[string]bool{}
	for i := range readings {
		if r := &readings[i]; r.reason == "" && !seen[r.HardwareID] {
			seen[r.HardwareID] = true
			ids = append(ids, r.HardwareID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	var senders map[string]sender
	err := s.retryBusy(ctx, func() (err error) {
		senders, err = s.store.senders(ctx, ids)
		return err
	})
	return senders, err
}

// precheck returns the result of a reading before it is stored; an empty status means that it is to be stored. It adds
// a snapshot of the device's name (TL-R7) and the expiry (TL-R8). The second occurrence of a batch_id in one request is
// a duplicate.
func (s *Service) precheck(r *incomingReading, senders map[string]sender, seen map[string]string) Result {
	out := Result{BatchID: web.Clip(r.BatchID, 256)}
	from, registered := senders[r.HardwareID]
	first, repeated := seen[r.BatchID]
	switch {
	case r.reason != "":
		out.Status, out.Reason = Rejected, r.reason
	case !registered:
		out.Status, out.Reason = Rejected, "hardware_id: this device is not registered"
	case repeated:
		out.setRepeated(first, r.HardwareID)
	default:
		seen[r.BatchID] = r.HardwareID
		r.FriendlyName = from.FriendlyName
		r.ExpirationTime = s.expiry(r.TimestampMS)
	}
	return out
}

// expiry returns the time, in epoch seconds, at which a reading taken at takenMS expires (TL-R8), but never before now:
// DynamoDB does not delete an item that expired more than five years ago, and a device without a clock sends readings
// from the year 2000 (TL-D9).
func (s *Service) expiry(takenMS int64) int64 {
	return max(takenMS/1000+int64(s.cfg.Retention/time.Second), s.cfg.Now().Unix())
}

// setRepeated sets the result of a reading whose batch_id was already used by the device from. If that is another
// device, the reading is no duplicate: calling it one would make the sender drop data that was never stored.
func (r *Result) setRepeated(from, sender string) {
	if from == sender {
		r.Status = Duplicate
		return
	}
	r.Status, r.Reason = Rejected, "batch_id: already used by another device; send the reading with a unique id"
}

// storeAll stores the readings at these indexes concurrently and records duplicates in results.
func (s *Service) storeAll(ctx context.Context, readings []incomingReading, indexes []int, results []Result) error {
	now := s.cfg.Now()
	m := marker{ReceivedAt: timestamp(now), ExpiresAt: now.Add(markerRetention).Unix()}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(maxTransactionsRequest, len(indexes)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(indexes)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				index := indexes[i]
				if err := s.storeOne(ctx, &readings[index].Reading, m, &results[index]); err != nil {
					cancel(err)
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

func (s *Service) storeOne(ctx context.Context, r *Reading, m marker, out *Result) error {
	var markerOwner string
	token := uuid.NewString()
	err := s.retryBusy(ctx, func() (err error) {
		select {
		case s.transactionSlots <- struct{}{}:
			defer func() { <-s.transactionSlots }()
		case <-ctx.Done():
			return ctx.Err()
		}
		markerOwner, err = s.store.ingest(ctx, token, r, m)
		return err
	})
	switch {
	case err != nil:
		return err
	case markerOwner == "":
		out.Status = Stored
		s.heat.add(s.cfg.Now(), r.HardwareID)
	default:
		out.setRepeated(markerOwner, r.HardwareID)
	}
	return nil
}

// retryBusy retries attempt while it returns ddb.ErrBusy.
func (s *Service) retryBusy(ctx context.Context, attempt func() error) error {
	return retry.Policy{
		Retryable: []error{ddb.ErrBusy}, MaxAttempts: maxAttempts, FirstPause: firstPause, MaxPause: maxPause,
		Wait:    s.cfg.Wait,
		OnRetry: func(error) { s.stats.retries.Add(1) },
	}.Do(ctx, attempt)
}
