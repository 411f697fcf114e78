package backup

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
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
	GlobalSecondaryIndexOverride  []control.GlobalSecondaryIndexInput
	LocalSecondaryIndexOverride   []control.LocalSecondaryIndexInput
	ProvisionedThroughputOverride *control.ProvisionedThroughputInput
	OnDemandThroughputOverride    *control.OnDemandThroughputInput
	SSESpecificationOverride      *encryption.SSESpecificationInput
	VectorIndexOverride           []control.VectorIndexInput
}

func (in *RestoreTableToPointInTimeInput) Decode(d *wire.Decoder) error {
	return shape.Read(&d.Reader, in)
}

// Check checks in the order, and with the messages, that were recorded on AWS, 2026-10. The end of the sentence about
// both times is ours: the record cuts it off.
func (in *RestoreTableToPointInTimeInput) Check() error {
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	latest := wire.OrZero(in.UseLatestRestorableTime)
	switch {
	case in.SourceTableArn != nil && in.SourceTableName != nil:
		return invalidRequest("Must provide exactly one of: sourceTableArn, sourceTableName")
	case in.SourceTableArn == nil && in.SourceTableName == nil:
		return control.MissingTableName()
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
	if !strings.HasPrefix(*in.SourceTableArn, "arn:") {
		return wire.ParameterError("ARNs must start with 'arn:': " + *in.SourceTableArn)
	}
	if _, err := control.TableNameFromARN(*in.SourceTableArn); err != nil {
		return wire.ValidationError("sourceTableArn is not a valid ARN")
	}
	return nil
}

// checkOwner returns an error for a table of another account.
func (in *RestoreTableToPointInTimeInput) checkOwner(req *engine.Request) error {
	if arn := wire.OrZero(in.SourceTableArn); arn != "" && strings.Split(arn, ":")[4] != req.Account.ID() {
		return wire.ValidationError("This action is only supported by accounts that match the resource owner’s account.")
	}
	return nil
}

// sourceName returns the name of the table to restore.
func (in *RestoreTableToPointInTimeInput) sourceName() string {
	if in.SourceTableName != nil {
		return *in.SourceTableName
	}
	name, _ := control.TableNameFromARN(wire.OrZero(in.SourceTableArn)) // an invalid ARN fails later
	return name
}

func (in *RestoreTableToPointInTimeInput) overrides() *Overrides {
	return &Overrides{
		in.BillingModeOverride, in.ProvisionedThroughputOverride, in.OnDemandThroughputOverride,
		in.GlobalSecondaryIndexOverride, in.LocalSecondaryIndexOverride, in.SSESpecificationOverride,
		in.VectorIndexOverride,
	}
}

func (in *RestoreTableToPointInTimeInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: in.sourceName(), Resource: wire.OrZero(in.SourceTableArn)},
		engine.ResourceRef{Table: wire.OrZero(in.TargetTableName)})
}

// RestoreTableToPointInTime creates a table with another table's items at the end of a second, and its current
// settings. The other table may be in another region. The new table is complete before the response, which nevertheless
// says CREATING.
func RestoreTableToPointInTime(req *engine.Request, in *RestoreTableToPointInTimeInput) (*control.TableOutput, error) {
	if err := in.checkOwner(req); err != nil {
		return nil, err
	}
	from := req.Account
	if in.SourceTableArn != nil {
		var err error
		if from, err = sourceAccount(req.Account, *in.SourceTableArn, in.SSESpecificationOverride); err != nil {
			return nil, err
		}
	}
	t, err := findTable(from, in.sourceName())
	if err != nil && in.SourceTableArn != nil { // without a name (ack-api-quirks DDB-TABLE-447, 2026-10-09)
		return nil, wire.DynamoError("TableNotFoundException", "Table not found")
	}
	if err != nil {
		return nil, err
	}
	second, err := in.restoreSecond(t, req.Engine.Clock.Now())
	if err != nil {
		return nil, err
	}
	def, err := in.overrides().Definition(req, from, t.Def, *in.TargetTableName)
	if err != nil {
		return nil, err
	}
	summary := control.RestoreSummary{SourceTableArn: t.Def.ARN, RestoreDateTime: float64(second.Unix())}
	return Restore(req, def, "table: "+t.Def.ARN, summary, func(space []byte) error {
		return RewindTable(req.Account, t, second, space)
	})
}

// restoreSecond returns the second to restore to.
func (in *RestoreTableToPointInTimeInput) restoreSecond(t *engine.Table, now time.Time) (time.Time, error) {
	r := t.Def.Recovery
	if r == nil {
		return now, wire.DynamoError("PointInTimeRecoveryUnavailableException",
			"Point in time recovery is not enabled for table '"+t.Def.Name+"'")
	}
	if _, latest := recoveryWindow(r, now); wire.OrZero(in.UseLatestRestorableTime) {
		return latest, nil
	}
	second := truncateToSecond(*in.RestoreDateTime)
	return second, checkRestoreTime(r, second, now)
}

// checkRestoreTime returns an error for a second to which the table cannot be restored.
func checkRestoreTime(r *engine.RecoverySettings, second, now time.Time) error {
	earliest, latest := recoveryWindow(r, now)
	if second.Before(earliest) || second.After(latest) {
		return wire.DynamoError("InvalidRestoreTimeException",
			fmt.Sprintf("RestoreDateTime '%s' must be within EarliestRestorableDateTime '%s' and LatestRestorableDateTime '%s'",
				second.Format(time.RFC3339), earliest.Format(time.RFC3339), latest.Format(time.RFC3339)))
	}
	return nil
}

// RewindTable copies a table as it was at the end of a second: it copies the current items, and then undoes every later
// change, the newest first.
func RewindTable(a *engine.Account, t *engine.Table, second time.Time, prefix []byte) error {
	from := endOfSecond(second)
	return a.Engine.Store.View(func(r *store.Reader) error {
		if err := t.CheckCurrent(); err != nil {
			return err
		}
		// Check again: the clock may have been advanced, and changes removed, before the Reader was opened.
		if err := checkRestoreTime(t.Def.Recovery, second, a.Engine.Clock.Now()); err != nil {
			return err
		}
		if err := CopyItems(a.Engine, r, engine.AppendTablePrefix(nil, t.Def.ID), prefix, (*store.Tx).Set, nil); err != nil {
			return err
		}
		to := changelog.Position(math.MaxUint64)
		return a.Engine.EachStep(a.Engine.WorkContext(), func() (more bool, err error) {
			to, err = undo(a, r, t.Log, from, to, prefix)
			return to >= from, err
		})
	})
}

// undo undoes the changes between two positions, the newest first, as many as fit in one step. It returns the position
// of the newest change that is left, or from-1 if none is.
func undo(a *engine.Account, r *store.Reader, log *changelog.Log, from, to changelog.Position,
	prefix []byte) (changelog.Position, error) {
	remaining := from - 1
	err := a.Engine.Store.Update(store.Latch(prefix), func(tx *store.Tx) error {
		size := 0
		return log.Read(r, from, to, true, func(p changelog.Position, record changelog.Record) (bool, error) {
			if size > engine.StepBytes {
				remaining = p
				return false, nil
			}
			size += len(record.Key) + len(record.Old)
			key := append(append(make([]byte, 0, 64), prefix...), record.Key...)
			if record.Kind == changelog.Insert {
				return true, tx.Delete(key)
			}
			return true, tx.Set(key, record.Old)
		})
	})
	return remaining, err
}

func (in *RestoreTableToPointInTimeInput) AppendImpliedRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return appendRestoreRefs(dst, in.TargetTableName)
}
