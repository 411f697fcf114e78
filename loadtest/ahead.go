package loadtest

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// ahead is how many requests are made before they are due, so that making them is no part of their latency.
const ahead = 256

// shot is a request that is ready to be sent. Its kind travels in the URL's fragment, which the client keeps to itself and the
// result shows.
type shot struct {
	vegeta.Target
	sent func()
}

// fragment carries the kind of a request and its tag.
func fragment(kind, tag string) string {
	if tag == "" {
		return kind
	}
	return kind + "!" + url.PathEscape(tag)
}

// kindOf is the kind of request that a result answers.
func kindOf(r *vegeta.Result) string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return "unknown"
	}
	kind, _, _ := strings.Cut(u.Fragment, "!")
	return cmp.Or(kind, "unknown")
}

// tagOf is the tag of the request that a result answers.
func tagOf(r *vegeta.Result) string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	_, tag, _ := strings.Cut(u.Fragment, "!")
	return tag
}

// targeter returns a vegeta.Targeter that hands out the requests of a mix, made ahead until the context ends.
func targeter(ctx context.Context, s subject, parts []Part) vegeta.Targeter {
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

func nextShot(ctx context.Context, s subject, m *mix) (shot, error) {
	number := m.next()
	part := m.parts[number]
	r, err := s.next(ctx, number, part)
	if err != nil {
		return shot{}, err
	}
	r.header.Set(kindHeader, part.Request)
	return shot{vegeta.Target{Method: r.method, URL: r.url + "#" + fragment(part.Request, r.tag), Body: r.body, Header: r.header}, r.sent}, nil
}

// makeAhead makes requests before they are due, until the context ends or one cannot be made.
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
