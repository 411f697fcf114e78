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

// Config configures an Engine.
type Config struct {
	Now    func() time.Time // the time of Date
	Random func() uint64    // the source of Math.random and of new ids
	Time   time.Duration    // time limit of an execution; 0: MaxTime
	Memory uint64           // memory limit of an execution in bytes; 0: MaxMemory
	Pool   *budget.Pool     // in which executions take turns; nil: they take no turns
	// concurrent executions, and as many queries with functions; 0: one per processor, 4 to 16
	Concurrency int
}

// Engine runs scripts. It is safe for concurrent use.
type Engine struct {
	config   Config
	programs cache
	// Executions and queries have separate limits, because a procedure waits for the functions of the queries that it
	// runs.
	executions, queries slots
}

// New returns an Engine.
func New(config Config) *Engine {
	config.Time = cmp.Or(config.Time, MaxTime)
	config.Memory = cmp.Or(config.Memory, MaxMemory)
	config.Concurrency = cmp.Or(config.Concurrency, concurrencyIn(config.Pool))
	return &Engine{config: config, executions: make(slots, config.Concurrency), queries: make(slots, config.Concurrency)}
}

// concurrencyIn returns how many scripts may run at once: one per processor, but no more than have their memory in the
// pool if that is smaller than by default.
func concurrencyIn(pool *budget.Pool) int {
	n := min(max(runtime.GOMAXPROCS(0), minConcurrency), maxConcurrency)
	if size := pool.Size(); size > 0 && size < budget.DefaultPool {
		n = max(1, min(n, int(size/MaxMemory)))
	}
	return n
}

// random returns a random number in [0, 1).
func (e *Engine) random() float64 { return float64(e.config.Random()>>11) / (1 << 53) }

// slots limit concurrency.
type slots chan struct{}

// ErrBusy is the error for an execution that waited ten seconds for a slot.
var ErrBusy = errors.New("too many concurrent scripts")

// take waits for a slot, at most slotTimeout. Errors: ErrBusy, or the cause of the context's cancellation.
func (s slots) take(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case s <- struct{}{}: // waiters come first: a released slot is handed to them
		return nil
	default:
	}
	ctx, cancel := context.WithTimeoutCause(ctx, slotTimeout, ErrBusy)
	defer cancel()
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s slots) release() { <-s }

//go:embed prelude.js
var preludeSource string

//go:embed api.js
var apiSource string

// preludeName is the file name of the emulator's JavaScript in stack traces, from which it is removed.
const preludeName = "(prelude)"

// templates creates the engine's template with its prelude, once per process, for the first script.
var templates = sync.OnceValue(func() *preparation {
	return prepare(func() (*sandbox.Template, error) {
		source := strings.Replace(preludeSource, "installAPI = API", "installAPI = "+apiSource, 1)
		return sandbox.NewTemplate(preludeName, source, mailSize)
	})
})
