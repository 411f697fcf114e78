package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// NamedTableInput is TableInput for operations that take the table's ARN too.
type NamedTableInput struct{ TableName *string }

func (in *NamedTableInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }
func (in *NamedTableInput) check() error            { return checkNamed(in.TableName) }

func (in *NamedTableInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: nameOf(orZero(in.TableName))})
}

func describeContinuousBackups(a *request, in *NamedTableInput) (*continuousBackupsOutput, error) {
	t, err := a.account.recoverable(*in.TableName)
	if err != nil {
		return nil, err
	}
	return t.describeRecovery(a.service.clock.Now()), nil
}
