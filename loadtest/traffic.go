package loadtest

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// traffic makes the requests of an attack, in an order that follows from the seed.
type traffic struct {
	base    string
	keys    []string
	sources []*source
	mix     *mix
	start   time.Time // of the first reading of each device
	seeded  *rand.ChaCha8
	rand    *rand.Rand     // of the same source
	recent  []readings     // the last bodies that were sent first, for repeats
	turns   map[int]int    // of each part, through the devices
	order   []int          // of the devices
	dealt   int            // requests made
	keyUses []atomic.Int64 // requests taken with each key
}

// shot is a target and the number of the key that it presents.
type shot struct {
	vegeta.Target
	key int
}

func newTraffic(base string, p Profile, seed uint64, start time.Time, keys []string) *traffic {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	seeded := rand.NewChaCha8(key)
	t := &traffic{base: base, keys: keys, mix: newMix(p.Mix), start: start, seeded: seeded, rand: rand.New(seeded),
		turns: map[int]int{}, keyUses: make([]atomic.Int64, len(keys))}
	for n := range p.Population.Devices {
		t.sources = append(t.sources, newSource(seed, n))
	}
	t.order = t.rand.Perm(len(t.sources))
	return t
}

// device is the one the part is about: the one it names, or each in its turn, in an order shuffled once.
func (t *traffic) device(p Part) *source {
	if p.Device > 0 {
		return t.sources[p.Device-1]
	}
	part := slices.Index(t.mix.parts, p)
	t.turns[part]++
	return t.sources[t.order[t.turns[part]%len(t.order)]]
}

func (t *traffic) batch(p Part) int {
	if p.Batch.Most == 0 {
		return 1
	}
	return p.Batch.Least + t.rand.IntN(p.Batch.Most-p.Batch.Least+1)
}

// memory is how many bodies are kept for repeats.
const memory = 32

func (t *traffic) remember(body readings) {
	if len(t.recent) == memory {
		t.recent = t.recent[1:]
	}
	t.recent = append(t.recent, body)
}

// next makes the device's next reading.
func (t *traffic) next(s *source) telemetryapi.Reading {
	s.made++
	return s.plan.Reading(t.start, time.Duration(s.made)*interval, s.boot)
}

// shot makes the next request. The kind travels in the URL's fragment, which the client keeps to itself and the result
// shows.
func (t *traffic) shot() (shot, error) {
	part := t.mix.parts[t.mix.next()]
	req := kinds[part.Request].build(t, part)
	body, err := req.encode()
	if err != nil {
		return shot{}, err
	}
	key := t.dealt % len(t.keys)
	t.dealt++
	header := http.Header{"X-Api-Key": {t.keys[key]}}
	if body != nil {
		header.Set("Content-Type", "application/json")
	}
	return shot{vegeta.Target{Method: req.method, URL: t.base + req.path + "#" + part.Request, Body: body, Header: header}, key}, nil
}

// ahead is how many requests are made before they are due, so that making them is no part of their latency.
const ahead = 256

// targeter returns a vegeta.Targeter that hands out the requests, and makes them ahead until the context ends.
func (t *traffic) targeter(ctx context.Context) vegeta.Targeter {
	shots := makeAhead(ctx, t.shot)
	return func(target *vegeta.Target) error {
		s, open := <-shots
		if !open || ctx.Err() != nil {
			return vegeta.ErrNoTargets
		}
		t.keyUses[s.key].Add(1)
		*target = s.Target
		return nil
	}
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
