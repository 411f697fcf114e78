package setup

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/model/tablefile"
)

// Tables returns a function for process.Program.Prepare, which creates the tables of a file.
func Tables(file *tablefile.File) func(context.Context, *emulator.Emulator) error {
	return func(ctx context.Context, e *emulator.Emulator) error {
		target, err := tablefile.NewTarget(ctx, e.AWSConfig())
		if err != nil {
			return err
		}
		plan, err := target.Compare(ctx, file, tablefile.Options{})
		if err != nil {
			return err
		}
		return plan.Do(ctx, target, func(tablefile.Step) {})
	}
}
