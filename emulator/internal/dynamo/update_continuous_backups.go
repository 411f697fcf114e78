package dynamo

import (
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
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

func (in *UpdateContinuousBackupsInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *UpdateContinuousBackupsInput) check() error {
	if err := checkNamed(in.TableName); err != nil {
		return err
	}
	if err := checkShape(in); err != nil {
		return err
	}
	if s := in.PointInTimeRecoverySpecification; !*s.PointInTimeRecoveryEnabled && s.RecoveryPeriodInDays != nil {
		return invalidRequest("Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.")
	}
	return nil
}

func (in *UpdateContinuousBackupsInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: nameOf(orZero(in.TableName))})
}

// updateContinuousBackups enables recovery, disables it or changes how far back it reaches; asking for what is already so
// changes nothing. (Recorded on AWS, 2026-10.)
func updateContinuousBackups(a *request, in *UpdateContinuousBackupsInput) (*continuousBackupsOutput, error) {
	if err := a.account.ddl.Close(a.waiting()); err != nil {
		return nil, err
	}
	defer a.account.ddl.Open()
	t, err := a.account.recoverable(*in.TableName)
	if err != nil {
		return nil, err
	}
	s := in.PointInTimeRecoverySpecification
	enable, was := *s.PointInTimeRecoveryEnabled, t.def.Recovery
	if enable == (was != nil) && (s.RecoveryPeriodInDays == nil || int64(*s.RecoveryPeriodInDays) == was.Days) {
		return t.describeRecovery(a.service.clock.Now()), nil
	}
	def := t.def.clone()
	def.Recovery = nil
	if enable {
		def.Recovery = s.settings(a, was)
	}
	if t, err = a.account.publish(a.waiting(), def, nil); err != nil {
		return nil, err
	}
	return t.describeRecovery(a.service.clock.Now()), nil
}

// settings are those that a request leaves of what was set, which may be nil. What a shorter period gives up does not come
// back with a longer one.
func (in *PointInTimeRecoverySpecificationInput) settings(a *request, was *recoverySettings) *recoverySettings {
	next := &recoverySettings{Days: maxRecovery}
	if in.RecoveryPeriodInDays != nil {
		next.Days = int64(*in.RecoveryPeriodInDays)
	}
	if was != nil {
		next.Since = max(was.Since, changelog.At(a.service.clock.Now().Add(-was.period())))
	}
	return next
}
