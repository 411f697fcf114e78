package history

import (
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// day is the unit of recovery periods.
const day = 24 * time.Hour

// readTime is how long a request may read what its table had when it began: less than the time for which changes are
// kept longer than they can be read.
const readTime = 10 * time.Minute

// findTable returns a table that has point-in-time recovery, and the moments of it that can be read.
func findTable(req *engine.Request, name string) (*engine.Table, pointintime.Moments, error) {
	t, err := req.Account.NamedTable(name)
	switch {
	case err != nil:
		return nil, pointintime.Moments{}, err
	case t.Def.Filling != nil:
		return nil, pointintime.Moments{}, wire.NamedTableNotFound(name)
	case t.Def.Recovery == nil:
		return nil, pointintime.Moments{}, wire.DynamoError("PointInTimeRecoveryUnavailableException",
			fmt.Sprintf("table %q has no point-in-time recovery, so its earlier states are not stored; enable it with: "+
				"aws dynamodb update-continuous-backups --table-name %s "+
				"--point-in-time-recovery-specification PointInTimeRecoveryEnabled=true", name, name))
	}
	now := req.Engine.Clock.Now()
	if err := t.CheckAvailable(); err != nil {
		return nil, pointintime.Moments{}, err
	}
	moments, err := pointintime.NewMoments(req.BeginWait(), t.Log, earliest(t, now), now)
	return t, moments, convert(err)
}

// earliest returns the first moment of a table that can be read: recovery was enabled, or its period began.
func earliest(t *engine.Table, now time.Time) changelog.Position {
	r := t.Def.Recovery
	return max(r.Since, changelog.At(now.Add(-time.Duration(r.Days)*day)))
}

// view opens a snapshot of a table, and checks that the changes after a moment are still there: the clock may have been
// advanced meanwhile.
func view(req *engine.Request, t *engine.Table, at changelog.Position, read func(r *store.Reader) error) error {
	return convert(req.Engine.Store.View(func(r *store.Reader) error {
		if err := t.CheckCurrent(); err != nil {
			return err
		}
		if at < earliest(t, req.Engine.Clock.Now().Add(-readTime)) {
			return pointintime.ErrTrimmed
		}
		return read(r)
	}))
}
