package people

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// Config configures the simulation. Its zero value is thirty people for four weeks with a backend in this process.
type Config struct {
	simenv.Config

	People   int           // 2 to 10,000, because they like each other's posts; default 30
	Duration time.Duration // simulated, 1 to 28 days, so that no event expires before it is read back; default 28 days
	Workers  int           // 1 to 16, every other one by the change feed; default 3
	Gateway  string        // address of the push gateway of a backend elsewhere; a backend in this process has its own
}

const (
	maxPeople = 10_000
	day       = 24 * time.Hour
	// DefaultDuration is also the maximum: events live for thirty days.
	DefaultDuration = 28 * day
)

func (c Config) withDefaults() Config {
	c.People = cmp.Or(c.People, 30)
	c.Duration = cmp.Or(c.Duration, DefaultDuration)
	c.Workers = cmp.Or(c.Workers, 3)
	return c
}

// Check returns, before anything is started, the error that Run would return for the first invalid setting.
func (c Config) Check() error {
	c = c.withDefaults()
	switch {
	case c.People < 2 || c.People > maxPeople:
		return fmt.Errorf("--people %d is out of range: use 2 to %d", c.People, maxPeople)
	case c.Duration < day || c.Duration > DefaultDuration:
		return fmt.Errorf("--duration %v is out of range: use %v to %v", c.Duration, day, DefaultDuration)
	case c.Workers < 1 || c.Workers > 16:
		return fmt.Errorf("--workers %d is out of range: use 1 to 16", c.Workers)
	case c.BaseURL != "" && c.Gateway == "":
		return errors.New(
			"no push gateway: set --gateway to that of the backend, such as http://127.0.0.1:8090")
	case c.BaseURL != "" && c.Emulator == "":
		return errors.New(
			"the simulation needs a clock that it can advance: set the address of the emulator whose clock the backend uses")
	case c.BaseURL == "" && c.Gateway != "":
		return errors.New("--gateway requires --backend, the URL of a running backend")
	}
	if err := c.Shard.Check(sim.Circles(c.People), thousands.Sprintf("%d people", c.People)); err != nil {
		return err
	}
	return c.Config.Check()
}

// settings returns what determines, with the seed, what the people do.
func (c Config) settings() sim.Settings {
	return sim.Settings{"people": strconv.Itoa(c.People), "duration": c.Duration.String()}
}
