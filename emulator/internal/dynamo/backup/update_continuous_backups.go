package backup

import (
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// UpdateContinuousBackupsInput turns the point-in-time recovery of a table on or off.
type UpdateContinuousBackupsInput struct {
	TableName                        *string
	PointInTimeRecoverySpecification *PointInTimeRecoverySpecificationInput `check:"notnull"`
}

// PointInTimeRecoverySpecificationInput is the setting of point-in-time recovery; the period is 35 days by default.
type PointInTimeRecoverySpecificationInput struct {
	PointInTimeRecoveryEnabled *bool  `check:"notnull"`
	RecoveryPeriodInDays       *int32 `check:"min=1,max=35"`
}

func (in *UpdateContinuousBackupsInput) Decode(d *wire.Decoder) error {
	return d.NamedShape(in, &in.TableName)
}

func (in *UpdateContinuousBackupsInput) Check() error {
	if err := control.CheckTableName(in.TableName); err != nil {
		return err
	}
	if err := wire.CheckShape(in); err != nil {
		return err
	}
	if s := in.PointInTimeRecoverySpecification; !*s.PointInTimeRecoveryEnabled && s.RecoveryPeriodInDays != nil {
		return invalidRequest("Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.")
	}
	return nil
}

func (in *UpdateContinuousBackupsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: wire.OrZero(in.TableName)})
}

// UpdateContinuousBackups enables or disables point-in-time recovery, or changes its period. A request for the current
// setting changes nothing. (Recorded on AWS, 2026-10.)
func UpdateContinuousBackups(req *engine.Request, in *UpdateContinuousBackupsInput) (*continuousBackupsOutput, error) {
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return nil, err
	}
	defer req.Account.DDL.Open()
	t, err := findTable(req.Account, *in.TableName)
	if err != nil {
		return nil, err
	}
	s := in.PointInTimeRecoverySpecification
	enable, previous := *s.PointInTimeRecoveryEnabled, t.Def.Recovery
	if enable == (previous != nil) && (s.RecoveryPeriodInDays == nil || int64(*s.RecoveryPeriodInDays) == previous.Days) {
		return describeRecovery(t, req.Engine.Clock.Now()), nil
	}
	def := t.Def.Clone()
	def.Recovery = nil
	if enable {
		def.Recovery = s.settings(req, previous)
	}
	if t, err = req.Account.Publish(req.BeginWait(), def, nil); err != nil {
		return nil, err
	}
	return describeRecovery(t, req.Engine.Clock.Now()), nil
}

// settings returns the settings after the request; was, the previous ones, may be nil. What a shorter period has given
// up does not come back with a longer one.
func (in *PointInTimeRecoverySpecificationInput) settings(req *engine.Request,
	previous *engine.RecoverySettings) *engine.RecoverySettings {
	next := &engine.RecoverySettings{Days: maxRecoveryDays}
	if in.RecoveryPeriodInDays != nil {
		next.Days = int64(*in.RecoveryPeriodInDays)
	}
	if previous != nil {
		next.Since = max(previous.Since, changelog.At(req.Engine.Clock.Now().Add(-recoveryPeriod(previous))))
	}
	return next
}
