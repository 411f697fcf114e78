package transfer

import (
	"math"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The shortest and the longest range of an incremental export (AWS, "Requesting a table export in DynamoDB").
const (
	minIncrement = 15 * time.Minute
	maxIncrement = 24 * time.Hour
)

func invalidExportTime(message string) *wire.Error {
	return wire.DynamoError("InvalidExportTimeException", message)
}

// setTimes sets the time of a full export, or the range of an incremental one. The messages are
// the service's (aws-controllers-k8s/dynamodb-controller, 2026-10), except that for a range of more than a day, which
// is ours.
func (x *Export) setTimes(t *engine.Table, now time.Time) error {
	if x.isIncremental() {
		return x.setRange(t, now)
	}
	if err := checkRecovery(t); err != nil {
		return err
	}
	if x.Time = x.Start; x.Input.ExportTime == nil {
		return nil
	}
	x.Time = math.Floor(*x.Input.ExportTime*1000) / 1000
	earliest, latest := backup.RecoveryWindow(t, now)
	switch at := timeOf(x.Time); {
	case at.After(now), at.Truncate(time.Second).Before(earliest):
		return invalidExportTime("Export Time is invalid")
	case at.Truncate(time.Second).After(latest):
		return invalidExportTime("Point in Time Recovery is not available for specified export time")
	}
	return nil
}

func (x *Export) setRange(t *engine.Table, now time.Time) error {
	spec := x.Input.IncrementalExportSpecification
	from, to := timeOf(*spec.ExportFromTime), now.Truncate(time.Second)
	if spec.ExportToTime != nil {
		to = timeOf(*spec.ExportToTime)
	}
	switch {
	case from.Before(timeOf(t.Def.Created).Truncate(time.Second)):
		return invalidExportTime("Incremental export period from time cannot be less than the table creation time : " +
			from.Truncate(time.Second).Format(time.RFC3339))
	case to.After(now):
		return invalidExportTime("Incremental export period to time cannot be greater than the current time : " +
			to.Truncate(time.Second).Format(time.RFC3339))
	case to.Sub(from) < minIncrement:
		return invalidExportTime(
			"Difference between export period from time and export period to time is less than 15 minutes")
	case to.Sub(from) > maxIncrement:
		return invalidExportTime(
			"Difference between export period from time and export period to time is greater than 24 hours")
	}
	if err := checkRecovery(t); err != nil {
		return err
	}
	if earliest, _ := backup.RecoveryWindow(t, now); from.Truncate(time.Second).Before(earliest) {
		return invalidExportTime("Point in Time Recovery is not available for specified export time")
	}
	x.From, x.To = seconds(from), seconds(to)
	x.View = orDefault(spec.ExportViewType, bothImages)
	return nil
}

func checkRecovery(t *engine.Table) error {
	if t.Def.Recovery != nil {
		return nil
	}
	return wire.DynamoError("PointInTimeRecoveryUnavailableException",
		"Point in time recovery is not enabled for table '"+t.Def.Name+"'")
}

// timeOf returns the time of a number of seconds since 1970, to the millisecond.
func timeOf(seconds float64) time.Time {
	const limit = 1 << 40 // beyond any time of the clock
	return time.UnixMilli(int64(math.Round(min(max(seconds, -limit), limit) * 1000))).UTC()
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
