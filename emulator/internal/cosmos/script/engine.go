package script

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script/sandbox"
)

// Config is what scripts see of the world.
type Config struct {
	Now    func() time.Time // what Date shows
	Random func() uint64    // where Math.random and new ids come from
	Time   time.Duration    // for one execution; 0: MaxTime
	Memory uint64           // for one execution, in bytes; 0: MaxMemory
	Pool   *budget.Pool     // whose turns executions work in; nil: they take no turns
	AtOnce int              // executions, and as many queries with functions; 0: one for each processor, 4 to 16
}

// Engine runs scripts. It is safe for use by several goroutines.
type Engine struct {
	config   Config
	programs cache
	// What runs at once is bounded apart for the two, for a procedure waits for the functions of a query that it makes.
	executions, queries slots
}

// New is an engine.
func New(config Config) *Engine {
	config.Time = cmp.Or(config.Time, MaxTime)
	config.Memory = cmp.Or(config.Memory, MaxMemory)
	config.AtOnce = cmp.Or(config.AtOnce, min(max(runtime.GOMAXPROCS(0), leastAtOnce), mostAtOnce))
	return &Engine{config: config, executions: make(slots, config.AtOnce), queries: make(slots, config.AtOnce)}
}

// random is a source of numbers in [0, 1).
func (e *Engine) random() float64 { return float64(e.config.Random()>>11) / (1 << 53) }

// slots bound what runs at once.
type slots chan struct{}

// ErrBusy is returned where an execution waited for others for ten seconds without coming to its turn.
var ErrBusy = errors.New("too many scripts run at once")

// take waits for a slot for slotFor at most. Errors: ErrBusy, or the cause of the context's end.
func (s slots) take(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case s <- struct{}{}: // those who wait come first: a slot that is freed is handed to them
		return nil
	default:
	}
	ctx, cancel := context.WithTimeoutCause(ctx, slotFor, ErrBusy)
	defer cancel()
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s slots) free() { <-s }

//go:embed prelude.js
var preludeSource string

//go:embed api.js
var apiSource string

// preludeName is what the emulator's own JavaScript is called in stacks, where it is left out.
const preludeName = "(prelude)"

// templates makes the engine with its prelude: once in a process, for the first script that runs.
var templates = sync.OnceValue(func() *preparation {
	return prepare(func() (*sandbox.Template, error) {
		source := strings.Replace(preludeSource, "installAPI = API", "installAPI = "+apiSource, 1)
		return sandbox.NewTemplate(preludeName, source, mailSize)
	})
})
