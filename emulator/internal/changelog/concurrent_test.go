package changelog_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/concurrently"
)

// TestReadersMissNothing follows a log while many writers append to it, some several changes at once and some in
// transactions that fail. Each change is read once, in order, and a change is readable once its writer knows that it
// succeeded.
func TestReadersMissNothing(t *testing.T) {
	t.Parallel()
	const writers, each = 8, 300
	f := newFixture(t, "", noon)
	var made atomic.Int64
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 1))
			for range each {
				made.Add(int64(f.write(t, byte(w), 1+random.IntN(3), random.IntN(4) == 0)))
			}
		})
	}
	read, from := int64(0), changelog.Position(0)
	concurrently.ReadUntilDone(&wg, func() {
		floor := f.log.Floor()
		read += f.follow(t, from, floor)
		from = floor + 1
	})
	if read != made.Load() {
		t.Errorf("read %d changes of %d", read, made.Load())
	}
}

// write makes n changes in one transaction, which fails if vain is set, and returns the number of changes made.
func (f *fixture) write(t *testing.T, key byte, n int, vain bool) int {
	ticket := f.log.Begin()
	defer ticket.End()
	err := f.store.Update(store.Latch([]byte{key}), func(tx *store.Tx) error {
		for range n {
			if _, err := f.log.Append(tx, &changelog.Record{Kind: changelog.Insert, Key: []byte{key}}); err != nil {
				return err
			}
		}
		if vain {
			return errVain
		}
		return nil
	})
	if err != nil {
		if !vain {
			t.Error(err)
		}
		return 0
	}
	return n
}

var errVain = errors.New("in vain")

// follow counts the changes between two positions, and checks their order.
func (f *fixture) follow(t *testing.T, from, to changelog.Position) int64 {
	n, before := int64(0), from
	err := f.store.View(func(r *store.Reader) error {
		return f.log.Read(r, from, to, false, func(p changelog.Position, _ changelog.Record) (bool, error) {
			if p < before || p > to {
				t.Errorf("%d came after %d, up to %d", p, before, to)
			}
			before, n = p+1, n+1
			return true, nil
		})
	})
	if err != nil {
		t.Error(err)
	}
	return n
}

func BenchmarkTicket(b *testing.B) {
	f := newFixture(b, "", noon)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			f.log.Begin().End()
		}
	})
}

// BenchmarkWrite compares a logged write with one that is not logged, in the store alone.
func BenchmarkWrite(b *testing.B) {
	value := make([]byte, 400)
	for _, logged := range []bool{false, true} {
		name := map[bool]string{false: "plain", true: "logged"}[logged]
		b.Run(name, func(b *testing.B) {
			f := newFixture(b, "", noon)
			log := f.log
			if !logged {
				log = nil
			}
			b.ReportAllocs()
			var key [16]byte
			for i := range b.N {
				binary.BigEndian.PutUint64(key[:], uint64(i))
				ticket := log.Begin()
				err := f.store.Update(store.Latch(key[:]), func(tx *store.Tx) error {
					if logged {
						if _, err := log.Append(tx, &changelog.Record{Kind: changelog.Insert, Key: key[:]}); err != nil {
							return err
						}
					}
					return tx.Set(key[:], value)
				})
				ticket.End()
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
