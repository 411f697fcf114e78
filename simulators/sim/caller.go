package sim

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
)

// maxLostResponses is the maximum number of lost responses to one request.
const maxLostResponses = 3

// ResponseLoss decides which responses a caller loses: a function of the seed, the caller's number and the index of the
// request. The nil ResponseLoss loses none.
type ResponseLoss struct {
	Seed, Number uint64
	Rate         float64       // the probability for each response; the backend has processed the request anyway
	Counter      *atomic.Int64 // counts the lost responses of all callers; may be nil

	requests uint64
}

// nextRequest returns a function that reports, for the next request, whether the response to an attempt is lost.
func (l *ResponseLoss) nextRequest() func(attempt int) bool {
	if l == nil {
		return func(int) bool { return false }
	}
	l.requests++
	request := l.requests
	return func(attempt int) bool {
		lost := attempt < maxLostResponses && Float64(l.Seed, l.Number, forResponse, request, uint64(attempt)) < l.Rate
		if lost && l.Counter != nil {
			l.Counter.Add(1)
		}
		return lost
	}
}

// forResponse keeps this random stream apart from those of simulations, whose purposes have small numbers.
const forResponse = 1 << 32

// Credential returns the header that authenticates a caller. With renew it must be a new one, because the backend has
// refused the last; an error ends the call.
type Credential func(ctx context.Context, renew bool) (http.Header, error)

// Caller is a person, phone or program that calls a backend. It is not safe for concurrent use.
type Caller struct {
	Client     *Client
	Retrier    *Retrier
	Loss       *ResponseLoss // nil: no response is lost
	Credential Credential    // nil: none
}

// Outcome is the outcome of a call, as its caller knows it.
type Outcome struct {
	Status  int // of the response that was received
	Retries int // number of responses lost before it: the request may have been processed already
}

// ErrResponseLost means that the response to a request that is sent only once was lost: it may have been processed or
// not.
var ErrResponseLost = errors.New("the response was lost: check whether the request was processed")

// Call sends a request until its response is received: it retries after a transient failure, after a lost response, and
// once with a new credential after a 401. Errors: a *Problem for a response that is not 2xx.
func (c *Caller) Call(ctx context.Context, call Call) (Outcome, error) {
	lost := c.Loss.nextRequest()
	var outcome Outcome
	for attempt := 0; ; attempt++ {
		failed, err := c.attempt(ctx, call, &outcome)
		outcome.Retries += failed
		if err != nil && outcome.Status == 0 || !lost(attempt) {
			return outcome, err
		}
		if call.Once {
			return Outcome{}, ErrResponseLost
		}
		outcome.Retries++
	}
}

// Create creates something that a repeated request would create again: it sends the request once and, if the response
// is lost, calls find before it sends the request again. It returns the result of find or of the response.
func Create[T any](ctx context.Context, c *Caller, call Call, find func(context.Context) (created T, found bool,
	err error)) (T, error) {
	for {
		var created T
		call.Once, call.Out = true, &created
		_, err := c.Call(ctx, call)
		if !errors.Is(err, ErrResponseLost) {
			return created, err
		}
		if found, ok, err := find(ctx); ok || err != nil {
			return found, err
		}
	}
}

// attempt makes one attempt, which may take several requests if no response arrives at all, and returns how many
// failed.
func (c *Caller) attempt(ctx context.Context, call Call, outcome *Outcome) (failed int, err error) {
	renew := false
	err = c.Retrier.Do(ctx, func() error {
		err := c.sendOnce(ctx, call, outcome, renew)
		if Status(err) == http.StatusUnauthorized && c.Credential != nil && !renew {
			renew = true
			err = c.sendOnce(ctx, call, outcome, renew)
		}
		if IsTransient(err) {
			failed++
			if call.Once && Status(err) != http.StatusTooManyRequests {
				return ErrResponseLost
			}
		}
		return err
	})
	return failed, err
}

func (c *Caller) sendOnce(ctx context.Context, call Call, outcome *Outcome, renew bool) error {
	outcome.Status = 0
	if c.Credential != nil {
		header, err := c.Credential(ctx, renew)
		if err != nil {
			return err
		}
		header = header.Clone()
		for name, values := range call.Header {
			header[name] = values
		}
		call.Header = header
	}
	var err error
	outcome.Status, err = c.Client.Do(ctx, call)
	return err
}
