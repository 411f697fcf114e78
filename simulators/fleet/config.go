package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// MaxDevices is the largest fleet that the documented schema supports.
const MaxDevices = 10_000

// maxDuration keeps a run's readings within their default retention of 90 days.
const maxDuration = 60 * 24 * time.Hour

// headStart is how far in the past a run without end starts when it is faster than real time.
const headStart = 30 * 24 * time.Hour

// Config configures a run. BaseURL and one of APIKey and AdminToken are required.
type Config struct {
	BaseURL    string // the backend, such as http://127.0.0.1:8080
	APIKey     string // the key of all devices; if empty, AdminToken creates keys and revokes them at the end
	AdminToken string

	Devices      int           // 1 to 10,000; default 1
	Shard        sim.Shard     // simulates only the devices of this shard; zero: all
	Seed         uint64        // the same seed gives the same fleet
	Speed        float64       // 1 is real time, the default; 300 is five minutes per second; math.Inf(1) does not wait
	Duration     time.Duration // simulated time, at most 60 days; 0 runs until the context ends
	Interval     time.Duration // between two readings of a device; default 5 minutes
	Start        time.Time     // of simulated time; for the default, see the package documentation
	FailureRates *FailureRates // the probabilities of failures; default DefaultFailureRates

	Concurrency  int           // concurrent requests; default 32
	RetryTimeout time.Duration // how long requests to an unresponsive backend are retried; default 30 s of real time

	// closed: the devices make no more readings, deliver what they have and are reconciled; may be nil
	Stop <-chan struct{}

	// Invariants checks what must hold in the backend's database, at the end, when the fleet sends no more requests. It
	// returns the number of invariants and what breaks them; may be nil.
	Invariants func(context.Context) (checked int, broken []string, err error)

	Progress         func(Counters) // called from Run's goroutine every Every of real time; may be nil
	ProgressInterval time.Duration  // default 500 ms
	Logger           *slog.Logger   // default: discards
	HTTP             *http.Client   // default: a client that keeps Concurrency connections
}

// withDefaults sets the defaults, relative to the real time now.
func (c Config) withDefaults(now time.Time) Config {
	setDefault(&c.Devices, 1)
	setDefault(&c.Speed, 1)
	setDefault(&c.Interval, 5*time.Minute)
	setDefault(&c.Concurrency, 32)
	setDefault(&c.RetryTimeout, 30*time.Second)
	setDefault(&c.ProgressInterval, 500*time.Millisecond)
	if c.FailureRates == nil {
		t := DefaultFailureRates()
		c.FailureRates = &t
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if c.HTTP == nil {
		c.HTTP = sim.HTTPClient(c.Concurrency)
	}
	if c.Start.IsZero() {
		c.Start = c.defaultStart(now)
	}
	c.Start = c.Start.UTC().Truncate(time.Millisecond)
	return c
}

func setDefault[T comparable](field *T, value T) {
	var unset T
	if *field == unset {
		*field = value
	}
}

// numbers returns the numbers of the devices that are simulated.
func (c Config) numbers() (numbers []int) {
	for n := range c.Devices {
		if c.Shard.Sends(uint64(n)) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// settings returns what determines, with the seed, what happens to the devices.
func (c Config) settings() sim.Settings {
	return sim.Settings{"devices": strconv.Itoa(c.Devices), "interval": c.Interval.String(),
		"duration": c.Duration.String(), "start": c.Start.Format(time.RFC3339)}
}

func (c Config) defaultStart(now time.Time) time.Time {
	switch {
	case c.Duration > 0:
		return now.Add(-c.Duration + time.Duration(float64(c.Duration)/c.Speed))
	case c.Speed > 1:
		return now.Add(-headStart)
	default:
		return now
	}
}

// Check returns, before anything is started, the error that Run would return for the first invalid setting.
func (c Config) Check() error { return c.withDefaults(time.Now()).validate() }

// validate returns an error for the first invalid setting.
func (c Config) validate() error {
	if u, err := url.Parse(c.BaseURL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("--backend %q is not a URL: use one such as http://127.0.0.1:8080", c.BaseURL)
	}
	switch {
	case c.APIKey == "" && c.AdminToken == "":
		return errors.New("no credential: set an API key, or the backend's admin token to create one")
	case c.Devices < 1 || c.Devices > MaxDevices:
		return fmt.Errorf("--devices %d is out of range: use 1 to %d", c.Devices, MaxDevices)
	case !(c.Speed > 0):
		return fmt.Errorf("--speed %v is out of range: use 1 (real time) or more", c.Speed)
	case c.Duration < 0 || c.Duration > maxDuration:
		return fmt.Errorf("--duration %v is out of range: use at most %v, so that no reading expires during the run",
			c.Duration, maxDuration)
	case c.Duration == 0 && math.IsInf(c.Speed, 1):
		return errors.New("--speed inf requires --duration")
	case c.Interval < time.Second || c.Interval > 24*time.Hour:
		return fmt.Errorf("--interval %v is out of range: use 1s to 24h", c.Interval)
	case c.Concurrency < 1:
		return fmt.Errorf("concurrency %d: use at least 1", c.Concurrency)
	}
	return c.Shard.Check(c.Devices, thousands.Sprintf("%d devices", c.Devices))
}
