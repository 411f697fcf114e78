package script

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script/sandbox"
)

// A preparation creates a template in the background: this takes about half a second, longer than some clients wait.
type preparation struct {
	done   chan struct{} // closed when the other fields are set
	result *sandbox.Template
	err    error
}

// prepare starts a preparation. It continues even if nobody waits for it.
func prepare(newTemplate func() (*sandbox.Template, error)) *preparation {
	p := &preparation{done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.result, p.err = newTemplate()
	}()
	return p
}

// template waits for the template. Errors: those of creating it, or the cause of the context's cancellation.
func (p *preparation) template(ctx context.Context) (*sandbox.Template, error) {
	select {
	case <-p.done:
		return p.result, p.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
