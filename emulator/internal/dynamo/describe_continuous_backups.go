package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// namedTableInput is tableInput for operations that take the table's ARN too.
type namedTableInput struct{ TableName *string }

func (in *namedTableInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }
func (in *namedTableInput) check() error            { return checkNamed(in.TableName) }

func (in *namedTableInput) appendTouches(dst []touch) []touch {
	return append(dst, touch{table: nameOf(orZero(in.TableName))})
}

func describeContinuousBackups(a *caller, in *namedTableInput) (*continuousBackupsOutput, error) {
	t, err := a.recoverable(*in.TableName)
	if err != nil {
		return nil, err
	}
	return t.describeRecovery(a.clock.Now()), nil
}
