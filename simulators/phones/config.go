package phones

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// Config configures the simulation. Its zero value is thirty users for 120 days with a backend in this process.
type Config struct {
	simenv.Config

	Users    int           // 1 to 10,000; default 30
	Duration time.Duration // simulated time, at most two years; default 120 days, so that devices expire
	Gateway  string        // address of the push gateway of a backend elsewhere; a backend in this process has its own
}

// MaxUsers is the number of users that the documented system supports.
const MaxUsers = 10_000

const (
	day         = 24 * time.Hour
	maxDuration = 2 * 365 * day
	// DefaultDuration is long enough for devices to expire.
	DefaultDuration = 120 * day
	// Lifetime is how long a device lives without a refresh, as documented.
	Lifetime = 90 * day
)

func (c Config) withDefaults() Config {
	if c.Users == 0 {
		c.Users = 30
	}
	if c.Duration == 0 {
		c.Duration = DefaultDuration
	}
	return c
}

// Check returns, before anything is started, the error that Run would return for the first invalid setting.
func (c Config) Check() error {
	c = c.withDefaults()
	switch {
	case c.Users < 1 || c.Users > MaxUsers:
		return fmt.Errorf("--users %d is out of range: use 1 to %d", c.Users, MaxUsers)
	case c.Duration < time.Hour || c.Duration > maxDuration:
		return fmt.Errorf("--duration %v is out of range: use 1h to %v", c.Duration, maxDuration)
	case c.BaseURL != "" && c.Gateway == "":
		return errors.New(
			"no push gateway: set --gateway to that of the backend, such as http://127.0.0.1:8090")
	case c.BaseURL == "" && c.Gateway != "":
		return errors.New("--gateway requires --backend, the URL of a running backend")
	}
	if err := c.Shard.Check(c.Users, thousands.Sprintf("%d users", c.Users)); err != nil {
		return err
	}
	return c.Config.Check()
}

// settings returns what determines, with the seed, what the users do.
func (c Config) settings() sim.Settings {
	return sim.Settings{"users": strconv.Itoa(c.Users), "duration": c.Duration.String()}
}
