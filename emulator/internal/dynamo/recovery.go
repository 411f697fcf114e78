package dynamo

import (
	"math"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
)

// The terms of point-in-time recovery.
const (
	day            = 24 * time.Hour
	maxRecovery    = 35 // days
	recoveryBehind = 5 * time.Minute
)

// period is how far back point-in-time recovery reaches.
func (r *recoverySettings) period() time.Duration { return time.Duration(r.Days) * day }

// window is the seconds to which a table can be restored, both included. The last one is five minutes ago, or that in which
// recovery was enabled where that is later (recorded on AWS, 2026-10).
func (r *recoverySettings) window(now time.Time) (earliest, latest time.Time) {
	since := r.Since.Time().Truncate(time.Second)
	return later(since, now.Add(-r.period()).Truncate(time.Second)), later(since, now.Add(-recoveryBehind).Truncate(time.Second))
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

func (out *continuousBackupsOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, out) }

func (t *table) describeRecovery(now time.Time) *continuousBackupsOutput {
	d := continuousBackups{"ENABLED", recoveryDescription{PointInTimeRecoveryStatus: "DISABLED"}}
	if r := t.def.Recovery; r != nil {
		earliest, latest := r.window(now)
		d.PointInTimeRecoveryDescription = recoveryDescription{"ENABLED", r.Days, float64(earliest.Unix()), float64(latest.Unix())}
	}
	return &continuousBackupsOutput{d}
}

// recoverable finds a table for an operation on backups, in whose words there is none. It may be named by its ARN.
func (a *account) recoverable(name string) (*table, error) {
	name = nameOf(name)
	t, err := a.table(name)
	if err != nil {
		return nil, dynamoError("TableNotFoundException", "Table not found: "+name)
	}
	return t, nil
}

// nameOf is the name in what may be the ARN of a table instead.
func nameOf(text string) string {
	if name, err := tableOfResource(text); err == nil {
		return name
	}
	return text
}

// checkNamed is checkTableName for a table that may be named by its ARN.
func checkNamed(name *string) error {
	if name == nil {
		return missingTableName()
	}
	plain := nameOf(*name)
	return checkTableName(&plain)
}

// invalidRequest is how the operations on backups say that members do not fit each other.
func invalidRequest(message string) *Error { return validationError("Invalid Request: " + message) }
