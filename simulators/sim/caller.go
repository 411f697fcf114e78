package sim

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
)

// maxLost is how many answers to one request get lost at most.
const maxLost = 3

// Luck decides which answers never reach a caller: a function of the seed, the caller's number, and which of its
// requests it is. The nil Luck loses none.
type Luck struct {
	Seed, Number uint64
	AnswerLost   float64       // the probability, for each answer; the backend has done the request all the same
	Lost         *atomic.Int64 // counts those lost, of all callers; may be nil

	calls uint64
}

// next is the luck of the next request: whether its answer gets lost at this try.
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

// forAnswer keeps the rolls for answers from those of simulations, which have small numbers for their purposes.
const forAnswer = 1 << 32

// Credential gives the header by which a caller is known. With renew it must be a new one, for the backend has refused
// the last; an error ends the call.
type Credential func(ctx context.Context, renew bool) (http.Header, error)

// Caller is one person, phone or program that speaks to a backend. It is for one goroutine at a time.
type Caller struct {
	Client     *Client
	Patience   *Patience
	Luck       *Luck      // nil: every answer is heard
	Credential Credential // nil: none
}

// Heard is what a caller knows of a call that it made.
type Heard struct {
	Status  int // of the answer that was heard
	Repeats int // how many answers were lost before it: the request may have been done already
}

// ErrUnheard is a request to be sent only once whose answer did not come: it may have been done, or not.
var ErrUnheard = errors.New("no answer was heard: look whether it was done")

// Call sends a request until its answer is heard: again after a failure that may pass, after an answer that got lost,
// and once with a new credential after a 401. An answer that is not 2xx is a *Problem.
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

// Create makes something that a second request would make a second time: it sends the request once, and when no answer
// was heard, looks by find whether it was done before it sends it again. It returns what find or the answer says.
func Create[T any](ctx context.Context, c *Caller, call Call, find func(context.Context) (made T, found bool, err error)) (T, error) {
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

// patiently makes one try, which is several where no answer comes at all, and returns how many came to nothing.
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
