package history

import (
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// day is the unit of recovery periods.
const day = 24 * time.Hour

// span is the moments of a table that can be read. The state at a moment includes the changes of that moment.
type span struct {
	earliest, latest changelog.Position // every change up to latest is in the store
	now              changelog.Position
}

// findTable returns a table that has point-in-time recovery.
func findTable(req *engine.Request, name string) (*engine.Table, error) {
	t, err := req.Account.NamedTable(name)
	switch {
	case err != nil:
		return nil, err
	case t.Def.Filling != nil:
		return nil, wire.NamedTableNotFound(name)
	case t.Def.Recovery == nil:
		return nil, wire.DynamoError("PointInTimeRecoveryUnavailableException",
			fmt.Sprintf("table %q has no point-in-time recovery, so its earlier states are not stored; enable it with: "+
				"aws dynamodb update-continuous-backups --table-name %s "+
				"--point-in-time-recovery-specification PointInTimeRecoveryEnabled=true", name, name))
	}
	return t, t.CheckAvailable()
}

// spanOf returns the moments of a table that can be read. Call it before the Reader is opened.
func spanOf(req *engine.Request, t *engine.Table) span {
	s := span{latest: t.Log.Floor()}
	now := req.Engine.Clock.Now()
	s.earliest = earliestOf(t, now)
	s.latest = max(s.latest, s.earliest)
	s.now = max(s.latest, changelog.At(now))
	return s
}

// earliestOf returns the first moment of a table that can be read: recovery was enabled, or its period began.
func earliestOf(t *engine.Table, now time.Time) changelog.Position {
	r := t.Def.Recovery
	return max(r.Since, changelog.At(now.Add(-time.Duration(r.Days)*day)))
}

// moment returns the position of a time in a request; an empty one is the latest moment. Errors: a text that is not a
// time, and a time that cannot be read.
func (s span) moment(name, text string) (changelog.Position, error) {
	if text == "" {
		return s.latest, nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, wire.ValidationError(name + " must be a time such as 2026-11-26T21:30:00.5Z")
	}
	p := changelog.At(at)
	if p < s.earliest || p > s.now {
		return 0, wire.ValidationError(fmt.Sprintf("%s must be from %s to %s", name, timeText(s.earliest),
			timeText(s.latest)))
	}
	return min(p, s.latest), nil
}

// checkStored returns an error if the clock was advanced so far since that changes after a moment may be gone. Call it
// after the Reader is opened.
func checkStored(req *engine.Request, t *engine.Table, at changelog.Position) error {
	if err := t.CheckCurrent(); err != nil {
		return err
	}
	if earliest := earliestOf(t, req.Engine.Clock.Now()); at < earliest {
		return wire.ValidationError("the time is before " + timeText(earliest) + ", the earliest that can be read by now")
	}
	return nil
}

// timeText returns the time of a position, to the nanosecond.
func timeText(p changelog.Position) string { return p.Time().Format(time.RFC3339Nano) }
