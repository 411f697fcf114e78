package script

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script/sandbox"
)

// A preparation makes a template in the background: it takes about half a second, longer than some clients wait.
type preparation struct {
	done chan struct{} // closed once the others are set
	made *sandbox.Template
	err  error
}

// prepare begins a preparation. It goes on whoever waits for it.
func prepare(newTemplate func() (*sandbox.Template, error)) *preparation {
	p := &preparation{done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.made, p.err = newTemplate()
	}()
	return p
}

// template waits for the template. Errors: those of making it, and the cause of the context's end.
func (p *preparation) template(ctx context.Context) (*sandbox.Template, error) {
	select {
	case <-p.done:
		return p.made, p.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
