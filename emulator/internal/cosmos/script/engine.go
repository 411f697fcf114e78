package script

import (
	"cmp"
	"sync"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// Config says what scripts see of the world.
type Config struct {
	Now    func() time.Time // what Date shows
	Random func() uint64    // where Math.random and new ids come from
	Time   time.Duration    // for one execution; 0: MaxTime
	Growth uint64           // of the heap under one, in bytes; 0: MaxGrowth
}

// Engine runs scripts. It is safe for use by several goroutines.
type Engine struct {
	config   Config
	programs cache
}

// limitPatterns gives regular expressions an end: the engine's backtracking ones know no interrupt. It is longer than
// MaxTime, so that a script is over when its expression gives up.
var limitPatterns = sync.OnceFunc(func() { regexp2.DefaultMatchTimeout = MaxTime + time.Second })

// New is an engine.
func New(config Config) *Engine {
	limitPatterns()
	config.Time = cmp.Or(config.Time, MaxTime)
	config.Growth = cmp.Or(config.Growth, MaxGrowth)
	return &Engine{config: config}
}

// random is a source of numbers in [0, 1).
func (e *Engine) random() float64 { return float64(e.config.Random()>>11) / (1 << 53) }
