package applicants

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// Config configures the simulation. Its zero value is forty applicants of three clients with a backend in this process.
type Config struct {
	simenv.Config

	Applicants int // 1 to 10,000; default 40
	Clients    int // 1 to 100; default 3
	Reviewers  int // concurrent reviewers, 1 to 8; default 2
}

func (c Config) withDefaults() Config {
	c.Applicants = cmp.Or(c.Applicants, 40)
	c.Clients = cmp.Or(c.Clients, 3)
	c.Reviewers = cmp.Or(c.Reviewers, 2)
	return c
}

// Check returns, before anything is started, the error that Run would return for the first invalid setting.
func (c Config) Check() error {
	c = c.withDefaults()
	switch {
	case c.Applicants < 1 || c.Applicants > 10_000:
		return fmt.Errorf("--applicants %d is out of range: use 1 to 10000", c.Applicants)
	case c.Clients < 1 || c.Clients > 100:
		return fmt.Errorf("--clients %d is out of range: use 1 to 100", c.Clients)
	case c.Reviewers < 1 || c.Reviewers > 8:
		return fmt.Errorf("--reviewers %d is out of range: use 1 to 8", c.Reviewers)
	}
	if err := c.Shard.Check(c.Clients, fmt.Sprintf("%d clients", c.Clients)); err != nil {
		return err
	}
	return c.Config.Check()
}

// settings returns what determines, with the seed, what the applicants do.
func (c Config) settings() sim.Settings {
	return sim.Settings{"applicants": strconv.Itoa(c.Applicants), "clients": strconv.Itoa(c.Clients)}
}

// simulates reports whether the shard simulates a client, with its applicants.
func (c Config) simulates(client int) bool { return c.Shard.Sends(uint64(client)) }
