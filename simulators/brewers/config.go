package brewers

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// Config configures the simulation. Its zero value is twenty brewers for four weeks with a backend in this process.
type Config struct {
	simenv.Config

	Brewers    int           // 1 to 10,000; default 20
	Duration   time.Duration // simulated time, 3 to 365 days; default 28 days
	Schedulers int           // instances of the reminder scheduler, for a backend in this process only; default 3
}

const (
	maxBrewers  = 10_000
	day         = 24 * time.Hour
	minDuration = 3 * day
	maxDuration = 365 * day
)

func (c Config) withDefaults() Config {
	c.Brewers = cmp.Or(c.Brewers, 20)
	c.Duration = cmp.Or(c.Duration, 28*day)
	c.Schedulers = cmp.Or(c.Schedulers, 3)
	return c
}

// Check returns, before anything is started, the error that Run would return for the first invalid setting.
func (c Config) Check() error {
	c = c.withDefaults()
	switch {
	case c.Brewers < 1 || c.Brewers > maxBrewers:
		return fmt.Errorf("--brewers %d is out of range: use 1 to %d", c.Brewers, maxBrewers)
	case c.Duration < minDuration || c.Duration > maxDuration:
		return fmt.Errorf("--duration %v is out of range: use %v to %v", c.Duration, minDuration, maxDuration)
	case c.Schedulers < 1 || c.Schedulers > 16:
		return fmt.Errorf("--schedulers %d is out of range: use 1 to 16", c.Schedulers)
	}
	if err := c.Shard.Check(sim.Circles(c.Brewers), thousands.Sprintf("%d brewers", c.Brewers)); err != nil {
		return err
	}
	return c.Config.Check()
}

// settings returns what determines, with the seed, what the brewers do.
func (c Config) settings() sim.Settings {
	return sim.Settings{"brewers": strconv.Itoa(c.Brewers), "duration": c.Duration.String()}
}
