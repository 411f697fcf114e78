package changelog_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// TestFollowersMissNothingInAnyOrder runs writers, followers and the clock in a random order that a seed determines,
// switching between a ticket, its position, its commit and its end: each follower reads every change once, those of a
// writer in their order.
func TestFollowersMissNothingInAnyOrder(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 60, func(t *testing.T, seed uint64) {
		schedule.Run(t, seed, func(t *testing.T) []schedule.Worker {
			s := &scheduledLog{fixture: newFixture(t, "", noon), random: rand.New(rand.NewPCG(seed, 1))}
			followers := []*follower{{}, {}}
			t.Cleanup(func() {
				for _, one := range followers {
					s.catchUp(t, one, func() {})
					if one.read != s.made {
						t.Errorf("a follower read %v changes of the writers, who made %v", one.read, s.made)
					}
				}
			})
			workers := []schedule.Worker{s.moveClock}
			for w := range len(s.made) {
				workers = append(workers, func(yield func()) { s.writer(t, w, yield) })
			}
			for _, one := range followers {
				workers = append(workers, func(yield func()) {
					for range 12 {
						s.catchUp(t, one, yield)
						yield()
					}
				})
			}
			return workers
		})
	})
}

// scheduledLog is the shared state of the workers, one of which runs at a time.
type scheduledLog struct {
	*fixture
	random *rand.Rand
	made   [3]int // changes by each writer
}

// follower reads a log from where it stopped.
type follower struct {
	from changelog.Position
	read [3]int // changes of each writer
}

func (s *scheduledLog) moveClock(yield func()) {
	for range 10 {
		if err := s.clock.Advance(time.Duration(s.random.IntN(3)) * time.Millisecond); err != nil {
			panic(err)
		}
		yield()
	}
}

func (s *scheduledLog) writer(t *testing.T, writer int, yield func()) {
	for range 5 {
		ticket := s.log.Begin()
		yield()
		made := 0
		err := s.store.Update(store.Latch([]byte{byte(writer)}), func(tx *store.Tx) error {
			for range 1 + s.random.IntN(2) {
				yield()
				change := &changelog.Record{Kind: changelog.Insert, Key: []byte{byte(writer), byte(s.made[writer] + made)}}
				if _, err := s.log.Append(tx, change); err != nil {
					return err
				}
				made++
			}
			yield()
			if s.random.IntN(4) == 0 {
				return errVain
			}
			tx.OnCommit(yield)
			return nil
		})
		if err == nil {
			s.made[writer] += made
		} else if !errors.Is(err, errVain) {
			t.Error(err)
		}
		yield()
		ticket.End()
		yield()
	}
}

// catchUp reads up to the log's floor.
func (s *scheduledLog) catchUp(t *testing.T, f *follower, yield func()) {
	floor := s.log.Floor()
	yield()
	err := s.store.View(func(r *store.Reader) error {
		yield()
		return s.log.Read(r, f.from, floor, false, func(_ changelog.Position, change changelog.Record) (bool, error) {
			writer, number := change.Key[0], int(change.Key[1])
			if number != f.read[writer] {
				t.Errorf("change %d of writer %d comes where %d is due", number, writer, f.read[writer])
			}
			f.read[writer]++
			yield()
			return true, nil
		})
	})
	if err != nil {
		t.Error(err)
	}
	f.from = max(f.from, floor+1)
}
