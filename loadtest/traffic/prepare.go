package traffic

import (
	"context"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/usage"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// queueSize is the number of requests that are prepared before they are due, so that preparing them is not part of
// their latency.
const queueSize = 256

// preparedRequest is a request that is ready to be sent. Its kind is in the URL's fragment, which the client does not
// send but the result contains.
type preparedRequest struct {
	vegeta.Target
	sent func()
}

// Targeter returns a vegeta.Targeter that returns the requests of a mix that the shard sends. They are prepared until
// the context ends.
func Targeter(ctx context.Context, s Subject, parts []profile.Part, shard sim.Shard) vegeta.Targeter {
	m := newMix(parts)
	chosen := uint64(0)
	queue := prepareAhead(ctx, func() (preparedRequest, error) {
		for ; !shard.Sends(chosen); chosen++ {
			number := m.next()
			s.next(number, m.parts[number])
		}
		chosen++
		return prepareNext(ctx, s, m)
	})
	return func(target *vegeta.Target) error {
		next, open := <-queue
		if !open || ctx.Err() != nil {
			return vegeta.ErrNoTargets
		}
		if next.sent != nil {
			next.sent()
		}
		*target = next.Target
		return nil
	}
}

func prepareNext(ctx context.Context, s Subject, m *mix) (preparedRequest, error) {
	number := m.next()
	part := m.parts[number]
	r, err := s.next(number, part)(ctx)
	if err != nil {
		return preparedRequest{}, err
	}
	r.header.Set(usage.KindHeader, part.Request)
	return preparedRequest{vegeta.Target{Method: r.method, URL: r.url + "#" + fragment(part.Request, r.tag), Body: r.body,
		Header: r.header}, r.sent}, nil
}

// prepareAhead prepares requests before they are due, until the context ends or preparing one fails.
func prepareAhead[T any](ctx context.Context, next func() (T, error)) <-chan T {
	made := make(chan T, queueSize)
	go func() {
		defer close(made)
		for {
			one, err := next()
			if err != nil {
				return
			}
			select {
			case made <- one:
			case <-ctx.Done():
				return
			}
		}
	}()
	return made
}
