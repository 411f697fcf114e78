package sim

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
)

// maxLost is the maximum number of lost responses to one request.
const maxLost = 3

// Luck decides which responses a caller loses: a function of the seed, the caller's number and the index of the
// request. The nil Luck loses none.
type Luck struct {
	Seed, Number uint64
	AnswerLost   float64       // the probability for each response; the backend has processed the request anyway
	Lost         *atomic.Int64 // counts the lost responses of all callers; may be nil

	calls uint64
}

// next returns a function that reports, for the next request, whether the response to an attempt is lost.
func (l *Luck) next() func(try int) bool {
	if l == nil {
		return func(int) bool { return false }
	}
	l.calls++
	call := l.calls
	return func(try int) bool {
		lost := try < maxLost && Unit(l.Seed, l.Number, forAnswer, call, uint64(try)) < l.AnswerLost
		if lost && l.Lost != nil {
			l.Lost.Add(1)
		}
		return lost
	}
}

// forAnswer keeps this random stream apart from those of simulations, whose purposes have small numbers.
const forAnswer = 1 << 32

// Credential returns the header that authenticates a caller. With renew it must be a new one, because the backend has
// refused the last; an error ends the call.
type Credential func(ctx context.Context, renew bool) (http.Header, error)

// Caller is a person, phone or program that calls a backend. It is not safe for concurrent use.
type Caller struct {
	Client     *Client
	Patience   *Patience
	Luck       *Luck      // nil: no response is lost
	Credential Credential // nil: none
}

// Heard is what a caller knows about a call.
type Heard struct {
	Status  int // of the response that was received
	Repeats int // number of responses lost before it: the request may have been processed already
}

// ErrUnheard means that the response to a request that is sent only once was lost: it may have been processed or not.
var ErrUnheard = errors.New("the response was lost: check whether the request was processed")

// Call sends a request until its response is received: it retries after a transient failure, after a lost response, and
// once with a new credential after a 401. Errors: a *Problem for a response that is not 2xx.
func (c *Caller) Call(ctx context.Context, call Call) (Heard, error) {
	lost := c.Luck.next()
	var heard Heard
	for try := 0; ; try++ {
		again, err := c.patiently(ctx, call, &heard)
		heard.Repeats += again
		if err != nil && heard.Status == 0 || !lost(try) {
			return heard, err
		}
		if call.Once {
			return Heard{}, ErrUnheard
		}
		heard.Repeats++
	}
}

// Create creates something that a repeated request would create again: it sends the request once and, if the response
// is lost, calls find before it sends the request again. It returns the result of find or of the response.
func Create[T any](ctx context.Context, c *Caller, call Call, find func(context.Context) (made T, found bool,
	err error)) (T, error) {
	for {
		var made T
		call.Once, call.Out = true, &made
		_, err := c.Call(ctx, call)
		if !errors.Is(err, ErrUnheard) {
			return made, err
		}
		if found, ok, err := find(ctx); ok || err != nil {
			return found, err
		}
	}
}

// patiently makes one attempt, which may take several requests if no response arrives at all, and returns how many
// failed.
func (c *Caller) patiently(ctx context.Context, call Call, heard *Heard) (again int, err error) {
	renew := false
	err = c.Patience.Do(ctx, func() error {
		err := c.once(ctx, call, heard, renew)
		if Status(err) == http.StatusUnauthorized && c.Credential != nil && !renew {
			renew = true
			err = c.once(ctx, call, heard, renew)
		}
		if Transient(err) {
			again++
			if call.Once && Status(err) != http.StatusTooManyRequests {
				return ErrUnheard
			}
		}
		return err
	})
	return again, err
}

func (c *Caller) once(ctx context.Context, call Call, heard *Heard, renew bool) error {
	heard.Status = 0
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
	heard.Status, err = c.Client.Do(ctx, call)
	return err
}
