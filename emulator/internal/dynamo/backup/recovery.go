package backup

import (
	"math"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The terms of point-in-time recovery.
const (
	Day            = 24 * time.Hour
	maxRecovery    = 35 // days
	recoveryBehind = 5 * time.Minute
)

// recoveryPeriod is how far back point-in-time recovery reaches.
func recoveryPeriod(r *engine.RecoverySettings) time.Duration { return time.Duration(r.Days) * Day }

// recoveryWindow is the seconds to which a table can be restored, both included. The last one is five minutes ago, or
// that in which recovery was enabled where that is later (recorded on AWS, 2026-10).
func recoveryWindow(r *engine.RecoverySettings, now time.Time) (earliest, latest time.Time) {
	since := r.Since.Time().Truncate(time.Second)
	return engine.Later(since, now.Add(-recoveryPeriod(r)).Truncate(time.Second)), engine.Later(since, now.Add(-recoveryBehind).Truncate(time.Second))
}

// endOf is the first position after a second: the state at a second is that at its end.
func endOf(second time.Time) changelog.Position { return changelog.At(second.Add(time.Second)) }

// secondOf is the whole second of a time in a request.
func secondOf(seconds float64) time.Time {
	const most = 1 << 40 // no time that a clock shows
	return time.Unix(int64(math.Floor(min(max(seconds, -most), most))), 0).UTC()
}

// continuousBackups is what the service tells of continuous backups: they are always there, recovery from them is not.
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
	return wire.AppendMarshalled(dst, out)
}

func describeRecovery(t *engine.Table, now time.Time) *continuousBackupsOutput {
	d := continuousBackups{"ENABLED", recoveryDescription{PointInTimeRecoveryStatus: "DISABLED"}}
	if r := t.Def.Recovery; r != nil {
		earliest, latest := recoveryWindow(r, now)
		d.PointInTimeRecoveryDescription = recoveryDescription{"ENABLED", r.Days, float64(earliest.Unix()), float64(latest.Unix())}
	}
	return &continuousBackupsOutput{d}
}

// recoverable finds a table for an operation on backups, in whose words there is none. It may be named by its ARN.
func recoverable(a *engine.Account, name string) (*engine.Table, error) {
	name = nameOf(name)
	t, err := a.Table(name)
	if err != nil {
		return nil, wire.DynamoError("TableNotFoundException", "Table not found: "+name)
	}
	return t, nil
}

// nameOf is the name in what may be the ARN of a table instead.
func nameOf(text string) string {
	if name, err := control.TableOfResource(text); err == nil {
		return name
	}
	return text
}

// checkNamed is checkTableName for a table that may be named by its ARN.
func checkNamed(name *string) error {
	if name == nil {
		return control.MissingTableName()
	}
	plain := nameOf(*name)
	return control.CheckTableName(&plain)
}

// invalidRequest is how the operations on backups say that members do not fit each other.
func invalidRequest(message string) *wire.Error {
	return wire.ValidationError("Invalid Request: " + message)
}
