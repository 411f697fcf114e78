package traffic

import (
	"context"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/usage"
)

// ahead is the number of requests that are made before they are due, so that making them is not part of their latency.
const ahead = 256

// shot is a request that is ready to be sent. Its kind is in the URL's fragment, which the client does not send but the
// result contains.
type shot struct {
	vegeta.Target
	sent func()
}

// Targeter returns a vegeta.Targeter that returns the requests of a mix. They are made ahead until the context ends.
func Targeter(ctx context.Context, s Subject, parts []profile.Part) vegeta.Targeter {
	m := newMix(parts)
	shots := makeAhead(ctx, func() (shot, error) { return nextShot(ctx, s, m) })
	return func(target *vegeta.Target) error {
		next, open := <-shots
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

func nextShot(ctx context.Context, s Subject, m *mix) (shot, error) {
	number := m.next()
	part := m.parts[number]
	r, err := s.next(ctx, number, part)
	if err != nil {
		return shot{}, err
	}
	r.header.Set(usage.KindHeader, part.Request)
	return shot{vegeta.Target{Method: r.method, URL: r.url + "#" + fragment(part.Request, r.tag), Body: r.body, Header: r.header}, r.sent}, nil
}

// makeAhead makes requests before they are due, until the context ends or making one fails.
func makeAhead[T any](ctx context.Context, next func() (T, error)) <-chan T {
	made := make(chan T, ahead)
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
