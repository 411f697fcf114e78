package phones

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Purposes of random streams; no two purposes share numbers.
const (
	forUser = iota + 1
	forDay
	forJobs
	forCaller
)

// Kind is the kind of an event.
type Kind int

// The kinds of events. The first ones concern a phone, the others its user.
const (
	Open      Kind = iota // the app is opened; if it is missing or nobody is logged in, that may be changed first
	LogOut                // the user logs out on the phone
	Remove                // the user removes the phone from the account
	Uninstall             // the app is removed from the phone, without telling the backend
	Job                   // a job of the user completes, and all devices are notified
	Delete                // the user requests the deletion of everything
)

// Event is an event that may happen to a user or to one of the user's phones.
type Event struct {
	At    time.Duration // relative to the start of the simulation, in whole minutes
	Kind  Kind
	Phone int // its index, for the kinds that concern a phone

	// Only for Open:
	Rotate    bool // the push service has given the app a new token
	Twice     bool // the app registers twice concurrently
	ReadBack  bool // the app reads its device
	UseUpdate bool // a new token is sent as an update of the device, not as a registration
	Login     bool // the user logs in if necessary
	Install   bool // the app is installed again on a phone that lost it
}

// Plan is a user and what may happen to them.
type Plan struct {
	Seed   uint64
	Number int

	Zone      time.Duration // offset east of UTC
	Platforms []string      // of the phones
	AwayFrom  time.Duration // from when on the user does not open the app; most users always do
	AwayUntil time.Duration // until when
}

// NewPlan generates the user with this number, for this duration.
func NewPlan(seed uint64, number int, duration time.Duration) Plan {
	r := sim.NewRand(seed, forUser, uint64(number))
	p := Plan{Seed: seed, Number: number, Zone: time.Duration(r.IntN(19)-8) * time.Hour, AwayFrom: maxDuration,
		AwayUntil: maxDuration}
	for range 1 + r.IntN(3) { // two on average: phone and tablet
		p.Platforms = append(p.Platforms, sim.Pick(r, []string{pushgateway.IOS, pushgateway.Android}))
	}
	if r.Float64() < 0.3 {
		p.AwayFrom = time.Duration(r.Int64N(int64(duration)/4 + 1)).Truncate(day)
		p.AwayUntil = p.AwayFrom + Lifetime + time.Duration(r.IntN(30)-10)*day // some shortly before their devices expire
	}
	return p
}

// Day returns what may happen on the user's nth day, in order of time. Phones act in even minutes and users in odd
// ones, except for some jobs that complete just when an app is opened.
func (p Plan) Day(n int) []Event {
	midnight := time.Duration(n)*day - p.Zone
	var events []Event
	for phone := range p.Platforms {
		events = append(events, p.phoneDay(n, phone, midnight)...)
	}
	r := sim.NewRand(p.Seed, forJobs, uint64(p.Number), uint64(n))
	for range r.IntN(3) {
		at := midnight + time.Duration(1+4*r.IntN(360))*time.Minute
		if race := r.Float64() < 0.1; race && len(events) > 0 && events[0].Kind == Open {
			at = events[0].At
		}
		events = append(events, Event{At: at, Kind: Job})
	}
	if r.Float64() < 0.002 {
		events = append(events, Event{At: midnight + 12*time.Hour + 3*time.Minute, Kind: Delete})
	}
	events = slices.DeleteFunc(events, func(e Event) bool { return e.At < 0 })
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	return events
}

func (p Plan) phoneDay(n, phone int, midnight time.Duration) []Event {
	r := sim.NewRand(p.Seed, forDay, uint64(p.Number), uint64(phone), uint64(n))
	morning := midnight + 6*time.Hour + evenMinutes(r, 150)
	evening := midnight + 20*time.Hour + evenMinutes(r, 120)
	open := Event{At: morning, Kind: Open, Phone: phone, Rotate: r.Float64() < 0.02, Twice: r.Float64() < 0.05,
		ReadBack:  r.Float64() < 0.1,
		UseUpdate: r.Float64() < 0.5, Login: r.Float64() < 0.3, Install: r.Float64() < 0.1}
	opens, last := r.Float64() < 0.8, r.Float64()
	if morning >= p.AwayFrom && morning < p.AwayUntil {
		return nil
	}
	var events []Event
	if opens || n == 0 {
		events = append(events, open)
	}
	switch {
	case last < 0.010:
		events = append(events, Event{At: evening, Kind: LogOut, Phone: phone})
	case last < 0.020:
		events = append(events, Event{At: evening, Kind: Uninstall, Phone: phone})
	case last < 0.024:
		events = append(events, Event{At: evening, Kind: Remove, Phone: phone})
	}
	return events
}

// evenMinutes returns up to about most minutes, an even number that is rarely near either end.
func evenMinutes(r *rand.Rand, most int) time.Duration {
	return 2 * time.Duration(r.IntN(most/4)+r.IntN(most/4)) * time.Minute
}
