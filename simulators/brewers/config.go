package brewers

import (
	"cmp"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/simulators/venue"
)

// Config says who brews, where and for how long. Its zero value is twenty brewers for four weeks in this process.
type Config struct {
	venue.Config

	Brewers    int           // 1 to 10,000; default 20
	Duration   time.Duration // of simulated time, 3 to 365 days; default 28 days
	Schedulers int           // instances of the reminder scheduler, in this process alone; default 3
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

// Check says what Run would refuse, before anything is started: the first setting that cannot work, and what would.
func (c Config) Check() error {
	c = c.withDefaults()
	switch {
	case c.Brewers < 1 || c.Brewers > maxBrewers:
		return fmt.Errorf("%d brewers: give 1 to %d", c.Brewers, maxBrewers)
	case c.Duration < minDuration || c.Duration > maxDuration:
		return fmt.Errorf("duration %v: give %v to %v", c.Duration, minDuration, maxDuration)
	case c.Schedulers < 1 || c.Schedulers > 16:
		return fmt.Errorf("%d schedulers: give 1 to 16", c.Schedulers)
	}
	return c.Config.Check()
}
