package backup

import (
	"math"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The parameters of point-in-time recovery.
const (
	Day             = 24 * time.Hour
	maxRecoveryDays = 35 // days
	recoveryDelay   = 5 * time.Minute
)

// recoveryPeriod returns how far back point-in-time recovery reaches.
func recoveryPeriod(r *engine.RecoverySettings) time.Duration { return time.Duration(r.Days) * Day }

// recoveryWindow returns the first and the last second to which a table can be restored. The last is five minutes ago,
// or the second in which recovery was enabled if that is later (recorded on AWS, 2026-10).
func recoveryWindow(r *engine.RecoverySettings, now time.Time) (earliest, latest time.Time) {
	since := r.Since.Time().Truncate(time.Second)
	return engine.Later(since, now.Add(-recoveryPeriod(r)).Truncate(time.Second)),
		engine.Later(since, now.Add(-recoveryDelay).Truncate(time.Second))
}

// endOfSecond returns the first position after a second: restoring to a second means to its end.
func endOfSecond(start time.Time) changelog.Position { return changelog.At(start.Add(time.Second)) }

// truncateToSecond returns a request's time in seconds since 1970, truncated to whole seconds.
func truncateToSecond(seconds float64) time.Time {
	const limit = 1 << 40 // beyond any time of the clock
	return time.Unix(int64(math.Floor(min(max(seconds, -limit), limit))), 0).UTC()
}

// continuousBackups is the ContinuousBackupsDescription of a table. Continuous backups are always ENABLED;
// point-in-time recovery may not be.
type continuousBackups struct {
	ContinuousBackupsStatus        string
	PointInTimeRecoveryDescription recoveryDescription
}

type recoveryDescription struct {
	PointInTimeRecoveryStatus  string
	RecoveryPeriodInDays       int64   `json:",omitempty"`
	EarliestRestorableDateTime float64 `json:",omitempty"` // seconds since 1970
	LatestRestorableDateTime   float64 `json:",omitempty"`
}

type continuousBackupsOutput struct{ ContinuousBackupsDescription continuousBackups }

func (out *continuousBackupsOutput) AppendJSON(dst []byte) []byte {
	return wire.AppendMarshaled(dst, out)
}

func describeRecovery(t *engine.Table, now time.Time) *continuousBackupsOutput {
	d := continuousBackups{"ENABLED", recoveryDescription{PointInTimeRecoveryStatus: "DISABLED"}}
	if r := t.Def.Recovery; r != nil {
		earliest, latest := recoveryWindow(r, now)
		d.PointInTimeRecoveryDescription = recoveryDescription{"ENABLED", r.Days, float64(earliest.Unix()),
			float64(latest.Unix())}
	}
	return &continuousBackupsOutput{d}
}

// findTable returns a table. The operations on backups have their own error for a missing one.
func findTable(a *engine.Account, name string) (*engine.Table, error) {
	t, err := a.Table(name)
	if err != nil {
		return nil, wire.DynamoError("TableNotFoundException", "Table not found: "+name)
	}
	return t, nil
}

// invalidRequest returns the error of the operations on backups for members that contradict each other.
func invalidRequest(message string) *wire.Error {
	return wire.ValidationError("Invalid Request: " + message)
}
