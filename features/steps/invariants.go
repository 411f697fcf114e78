package steps

import (
	"context"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/invariants"
)

// invariantsHold checks the scenario's tables by a file of invariants. The check's own requests are not recorded.
func (w *World) invariantsHold(ctx context.Context, name string) error {
	text, err := w.file(name)
	if err != nil {
		return err
	}
	set, err := invariants.Parse(name, text)
	if err != nil {
		return err
	}
	if set.HasCosmos() {
		return errors.New(name + ": scenarios check tables only: remove the invariants of containers")
	}
	breaks, err := set.Check(ctx, invariants.Databases{DynamoDB: w.Client, Prefix: w.Prefix})
	if err == nil && len(breaks) > 0 {
		err = errors.New(invariants.Text(breaks))
	}
	return err
}
