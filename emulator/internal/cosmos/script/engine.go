package script

import (
	"sync"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// Config says what scripts see of the world.
type Config struct {
	Now    func() time.Time // what Date shows
	Random func() uint64    // where Math.random and new ids come from
}

// Engine runs scripts. It is safe for use by several goroutines.
type Engine struct {
	config   Config
	time     time.Duration // for one execution
	programs cache
}

// limitPatterns gives regular expressions an end: the engine's backtracking ones know no interrupt. It is longer than
// MaxTime, so that a script is over when its expression gives up.
var limitPatterns = sync.OnceFunc(func() { regexp2.DefaultMatchTimeout = MaxTime + time.Second })

// New is an engine.
func New(config Config) *Engine {
	limitPatterns()
	return &Engine{config: config, time: MaxTime}
}

// random is a source of numbers in [0, 1).
func (e *Engine) random() float64 { return float64(e.config.Random()>>11) / (1 << 53) }
