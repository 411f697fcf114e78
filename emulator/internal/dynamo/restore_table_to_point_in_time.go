package dynamo

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// RestoreTableToPointInTimeInput creates a table from an earlier state of another one.
type RestoreTableToPointInTimeInput struct {
	SourceTableArn                *string `check:"minlen=1,maxlen=1024"`
	SourceTableName               *string `check:"name,minlen=3,maxlen=255"`
	TargetTableName               *string `check:"notnull,name,minlen=3,maxlen=255"`
	UseLatestRestorableTime       *bool
	RestoreDateTime               *float64 // seconds since 1970
	BillingModeOverride           *string  `check:"enum=PROVISIONED|PAY_PER_REQUEST"`
	GlobalSecondaryIndexOverride  []GlobalSecondaryIndexInput
	LocalSecondaryIndexOverride   []LocalSecondaryIndexInput
	ProvisionedThroughputOverride *ProvisionedThroughputInput
	OnDemandThroughputOverride    *OnDemandThroughputInput
	SSESpecificationOverride      *SSESpecificationInput
}

func (in *RestoreTableToPointInTimeInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

// check refuses in the order and the words that were recorded on AWS, 2026-10, but for the end of the sentence about both
// times, which the record cuts off.
func (in *RestoreTableToPointInTimeInput) check() error {
	if err := checkShape(in); err != nil {
		return err
	}
	latest := orZero(in.UseLatestRestorableTime)
	switch {
	case in.SourceTableArn != nil && in.SourceTableName != nil:
		return invalidRequest("Must provide exactly one of: sourceTableArn, sourceTableName")
	case in.SourceTableArn == nil && in.SourceTableName == nil:
		return missingTableName()
	case latest && in.RestoreDateTime != nil:
		return invalidRequest("Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore request. Please specify only one of them")
	case !latest && in.RestoreDateTime == nil:
		return invalidRequest("Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both")
	}
	if err := in.checkSource(); err != nil {
		return err
	}
	return in.overrides().check()
}

func (in *RestoreTableToPointInTimeInput) checkSource() error {
	if in.SourceTableArn == nil {
		return nil
	}
	if _, err := tableOfResource(*in.SourceTableArn); err != nil {
		return validationError("sourceTableArn is not a valid ARN")
	}
	return nil
}

// checkOwner refuses another account's table.
func (in *RestoreTableToPointInTimeInput) checkOwner(a *request) error {
	if arn := orZero(in.SourceTableArn); arn != "" && strings.Split(arn, ":")[4] != a.account.id() {
		return validationError("This action is only supported by accounts that match the resource owner’s account.")
	}
	return nil
}

// source is the name of the table that is restored.
func (in *RestoreTableToPointInTimeInput) source() string {
	if in.SourceTableName != nil {
		return *in.SourceTableName
	}
	return nameOf(orZero(in.SourceTableArn))
}

func (in *RestoreTableToPointInTimeInput) overrides() *overrides {
	return &overrides{
		in.BillingModeOverride, in.ProvisionedThroughputOverride, in.OnDemandThroughputOverride,
		in.GlobalSecondaryIndexOverride, in.LocalSecondaryIndexOverride, in.SSESpecificationOverride,
	}
}

func (in *RestoreTableToPointInTimeInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: in.source()}, resourceRef{table: orZero(in.TargetTableName)})
}

// restoreTableToPointInTime makes a table of what another one was at the end of a second, before it answers; only the answer
// says that this is under way. The table's settings are those of its source now.
func restoreTableToPointInTime(a *request, in *RestoreTableToPointInTimeInput) (*tableAnswer, error) {
	if err := in.checkOwner(a); err != nil {
		return nil, err
	}
	t, err := a.account.recoverable(in.source())
	if err != nil {
		return nil, err
	}
	second, err := in.second(t, a.service.clock.Now())
	if err != nil {
		return nil, err
	}
	def, err := in.overrides().definition(a, t.def, *in.TargetTableName)
	if err != nil {
		return nil, err
	}
	summary := restoreSummary{SourceTableArn: t.def.ARN, RestoreDateTime: float64(second.Unix())}
	return a.restore(def, "table: "+t.def.ARN, summary, func(space []byte) error { return a.account.windBack(t, second, space) })
}

// second is the one to restore to.
func (in *RestoreTableToPointInTimeInput) second(t *table, now time.Time) (time.Time, error) {
	r := t.def.Recovery
	if r == nil {
		return now, dynamoError("PointInTimeRecoveryUnavailableException", "Point in time recovery is not enabled for table '"+t.def.Name+"'")
	}
	if _, latest := r.window(now); orZero(in.UseLatestRestorableTime) {
		return latest, nil
	}
	second := secondOf(*in.RestoreDateTime)
	return second, r.check(second, now)
}

// check refuses a second to which a table cannot be restored.
func (r *recoverySettings) check(second, now time.Time) error {
	earliest, latest := r.window(now)
	if second.Before(earliest) || second.After(latest) {
		return dynamoError("InvalidRestoreTimeException", fmt.Sprintf("RestoreDateTime '%s' must be within EarliestRestorableDateTime '%s' and LatestRestorableDateTime '%s'",
			second.Format(time.RFC3339), earliest.Format(time.RFC3339), latest.Format(time.RFC3339)))
	}
	return nil
}

// windBack copies a table as it was at the end of a second: as it is now, and then with every change after it undone, the newest
// first.
func (a *account) windBack(t *table, second time.Time, space []byte) error {
	from := endOf(second)
	return a.service.store.View(func(r *store.Reader) error {
		if err := t.current(); err != nil {
			return err
		}
		// Once more: the clock may have been advanced before the Reader, and changes removed.
		if err := t.def.Recovery.check(second, a.service.clock.Now()); err != nil {
			return err
		}
		if err := a.service.copyItems(r, appendSpace(nil, t.def.ID), space, (*store.Tx).Set, nil); err != nil {
			return err
		}
		for to := changelog.Position(math.MaxUint64); to >= from; {
			var err error
			if to, err = a.undo(r, t.log, from, to, space); err != nil {
				return err
			}
		}
		return nil
	})
}

// undo undoes changes between two positions, from the last one back, as many as one transaction takes. It gives the position
// of the last change that is left; one before from says that none is.
func (a *account) undo(r *store.Reader, log *changelog.Log, from, to changelog.Position, space []byte) (changelog.Position, error) {
	left := from - 1
	work := a.service.longWork(context.Background())
	defer work.Close()
	err := a.service.store.Update(store.Latch(space), func(tx *store.Tx) error {
		size := 0
		return log.Read(r, from, to, true, func(p changelog.Position, record changelog.Record) (bool, error) {
			if size > backfillBytes {
				left = p
				return false, nil
			}
			size += len(record.Key) + len(record.Old)
			_ = work.Step(stepsOf(record.Old)) // it has no limit
			key := append(append(make([]byte, 0, 64), space...), record.Key...)
			if record.Kind == changelog.Insert {
				return true, tx.Delete(key)
			}
			return true, tx.Set(key, record.Old)
		})
	})
	return left, err
}

func (in *RestoreTableToPointInTimeInput) appendImpliedRefs(dst []resourceRef) []resourceRef {
	return appendRestoredRefs(dst, in.TargetTableName)
}
