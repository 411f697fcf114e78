package kinesis

import (
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// For reads, only the clock decides whether a record still exists. A timer removes expired records from the store.
const (
	removalInterval = time.Hour
	// trimSlack is how long expired records are kept, for reads in progress.
	trimSlack = 30 * time.Minute
)

// horizon returns the first position that can still be read.
func (s *Service) horizon() changelog.Position { return changelog.At(s.clock.Now().Add(-retention)) }

// scheduleRemoval sets the timer if it is not set. s.mu must be held.
func (s *Service) scheduleRemoval() {
	if s.cancel == nil {
		s.cancel = s.clock.At(s.clock.Now().Add(removalInterval), s.removeExpired)
	}
}

// removeExpired removes the expired records of all streams.
func (s *Service) removeExpired() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel == nil { // closed
		return
	}
	s.cancel = nil
	before := changelog.At(s.clock.Now().Add(-retention - trimSlack))
	for _, a := range s.accounts {
		for _, st := range a.streams {
			if err := st.trim(before); err != nil && !errors.Is(err, store.ErrClosed) {
				s.log.Error("expired records of Kinesis could not be removed; the removal is retried", "stream", st.Name,
					"error", err)
			}
		}
	}
	if len(s.accounts) > 0 {
		s.scheduleRemoval()
	}
}

// trim removes the records before a position.
func (st *stream) trim(before changelog.Position) error {
	for _, l := range st.logs {
		first, ok, err := l.First()
		if err == nil && ok && first < before {
			err = l.Trim(before)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
