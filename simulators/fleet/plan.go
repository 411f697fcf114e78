package fleet

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Kind is the kind of an event.
type Kind int

// The kinds of events, in the order in which events of the same time happen.
const (
	Booted          Kind = iota // the device starts: a new boot id, possibly new firmware
	NetworkLost                 // from now on it buffers
	NetworkRestored             // from now on it delivers
	Measured                    // a reading is due
)

// Event is an event of a device. Boot is the boot that the device runs on from this event on.
type Event struct {
	At   time.Duration // relative to the start of simulated time
	Kind Kind
	Boot *Boot
}

// Boot is one uptime of a device, from power-up to the next reboot.
type Boot struct {
	ID       string
	Firmware string
	Skew     time.Duration // the device's clock minus the true time
	Crashed  bool          // the previous boot ended in a crash that forgot the last acknowledgement
}

// Plan is a device and its events: a pure function of seed, number, interval and failure rates.
type Plan struct {
	Seed         uint64
	Number       int
	Interval     time.Duration
	FailureRates FailureRates

	HardwareID  string
	Sensors     []string      // those that the device has; at least one
	Phase       time.Duration // time of its first boot; readings follow every Interval
	NewestFirst bool          // the order in which it delivers what it buffered
	badClock    bool
	firmware    int // the build at delivery from the factory
}

// NewPlan generates the device with this number. Hardware ids are locally administered MAC addresses, unique in a
// fleet.
func NewPlan(seed uint64, number int, interval time.Duration, rates FailureRates) Plan {
	r := sim.NewRand(seed, forDevice, uint64(number))
	fleet := sim.Mix(seed, forDevice)
	p := Plan{Seed: seed, Number: number, Interval: interval, FailureRates: rates}
	p.HardwareID = fmt.Sprintf("02:%02X:%02X:%02X:%02X:%02X", byte(fleet>>8), byte(fleet), byte(number>>16),
		byte(number>>8), byte(number))
	for _, s := range allSensors {
		if r.Float64() < s.present {
			p.Sensors = append(p.Sensors, s.name)
		}
	}
	if len(p.Sensors) == 0 {
		p.Sensors = []string{allSensors[0].name}
	}
	p.Phase = time.Duration(r.Int64N(int64(interval))).Truncate(time.Millisecond)
	p.NewestFirst = r.Float64() < 0.3
	p.badClock = r.Float64() < rates.BadClock
	p.firmware = 14 + r.IntN(3)
	return p
}

// boot generates the nth boot of the device.
func (p Plan) boot(order, firmware int, crashed bool) *Boot {
	r := sim.NewRand(p.Seed, forBoot, uint64(p.Number), uint64(order))
	skew := 2 * time.Second
	if p.badClock {
		skew = 10 * time.Minute
	}
	return &Boot{
		ID:       sim.UUID(r.Uint64(), r.Uint64()),
		Firmware: fmt.Sprintf("1.0.%d", firmware),
		Skew:     time.Duration((r.Float64()*2 - 1) * float64(skew)).Truncate(time.Millisecond),
		Crashed:  crashed,
	}
}

// halfDay is the period for which events other than readings are generated at a time.
const halfDay = 12 * time.Hour

// plannedFailure is an event whose boot is not known yet.
type plannedFailure struct {
	at     time.Duration
	kind   Kind
	crash  bool
	update bool
}

// failures generates the failures of the half day with this number, in order of time. An outage ends within its half
// day.
func (p Plan) failures(number int) []plannedFailure {
	r := sim.NewRand(p.Seed, forHalfDay, uint64(p.Number), uint64(number))
	start := time.Duration(number) * halfDay
	within := func(d time.Duration) time.Duration {
		return time.Duration(r.Int64N(int64(d))).Truncate(time.Millisecond)
	}
	var failures []plannedFailure
	if r.Float64() < p.FailureRates.Outage {
		length := 5*time.Minute + time.Duration(r.Float64()*r.Float64()*float64(p.FailureRates.MaxOutage-5*time.Minute))
		lost := start + within(halfDay-length)
		failures = append(failures, plannedFailure{at: lost, kind: NetworkLost}, plannedFailure{at: lost + length,
			kind: NetworkRestored})
	}
	if r.Float64() < p.FailureRates.Reboot {
		failures = append(failures, plannedFailure{at: start + within(halfDay), kind: Booted,
			crash: r.Float64() < p.FailureRates.Crash})
	}
	if r.Float64() < p.FailureRates.Update {
		failures = append(failures, plannedFailure{at: start + within(halfDay), kind: Booted, update: true})
	}
	slices.SortFunc(failures, func(a, b plannedFailure) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind))
	})
	return failures
}

// ResponseLost reports whether the response to this request of the device is lost; only the first three attempts can
// be.
func (p Plan) ResponseLost(batchID string, attempt int) bool {
	if attempt >= 3 {
		return false
	}
	parts := []uint64{p.Seed, forResponse, uint64(p.Number), uint64(attempt)}
	for _, c := range []byte(batchID) {
		parts = append(parts, uint64(c))
	}
	return sim.Float64(parts...) < p.FailureRates.ResponseLoss
}
