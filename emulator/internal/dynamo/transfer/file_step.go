package transfer

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// fileStepBytes is about how many bytes of items one step of an export or a bulk operation handles. To write them as
// text and to compress them, or to put them, takes about 2 ms.
const fileStepBytes = 64 << 10

// itemCost is what an item costs besides its bytes, as a number of bytes that cost the same.
const itemCost = 128

// fileStep divides work on files into paced steps. Close work at the end.
type fileStep struct {
	engine *engine.Engine
	work   *budget.Budget
	size   int // bytes handled in this step
}

// newFileStep begins the first step. Errors: the cause of ctx's end.
func newFileStep(ctx context.Context, e *engine.Engine) (*fileStep, error) {
	s := &fileStep{engine: e, work: e.NewUnlimitedBudget(ctx)}
	return s, s.work.BeginPaced()
}

// handled counts an item of that size, and rests after a step. The caller must hold nothing. Errors: the cause of the
// end of the work's context.
func (s *fileStep) handled(size int) error {
	if s.size += itemCost + size; s.size < fileStepBytes {
		return nil
	}
	s.size = 0
	return s.engine.Rest(s.work)
}
