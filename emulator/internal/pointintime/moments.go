package pointintime

import (
	"context"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
)

// Moments are the moments that can be read. The state at a moment includes the changes of that moment.
type Moments struct {
	Earliest, Latest changelog.Position // every change up to Latest is in the store
	now              changelog.Position
}

// NewMoments returns the moments from the earliest one to the log's floor. Call it before the Reader is opened. Errors:
// there are none, because the clock moved by days during a write.
func NewMoments(ctx context.Context, log *changelog.Log, earliest changelog.Position, now time.Time) (Moments,
	error) {
	latest := log.Floor()
	if latest < earliest {
		return Moments{}, ErrWriting
	}
	log.SaveAhead(ctx, latest)
	return Moments{earliest, latest, max(latest, changelog.At(now))}, nil
}

// At returns the position of a time in a request, whose parameter has a name; an empty one is the latest moment.
// Errors: a text that is not a time, and a time that cannot be read.
func (m Moments) At(name, text string) (changelog.Position, error) {
	if text == "" {
		return m.Latest, nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, Error(name + " must be a time such as 2026-11-26T21:30:00.5Z")
	}
	p := changelog.At(at)
	if p < m.Earliest || p > m.now {
		return 0, Error(fmt.Sprintf("%s must be from %s to %s", name, TimeText(m.Earliest), TimeText(m.Latest)))
	}
	return min(p, m.Latest), nil
}

// Between returns the moments from and to of a request, which are the earliest and the latest if they are empty.
func (m Moments) Between(from, to string) (first, last changelog.Position, err error) {
	first = m.Earliest
	if from != "" {
		if first, err = m.At("from", from); err != nil {
			return 0, 0, err
		}
	}
	if last, err = m.At("to", to); err == nil && first > last {
		err = ErrOrder
	}
	return first, last, err
}

// TimeText returns the time of a position, to the nanosecond.
func TimeText(p changelog.Position) string { return p.Time().Format(time.RFC3339Nano) }
