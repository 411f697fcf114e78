package phones

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// What a roll is for; two purposes never share numbers.
const (
	forUser = iota + 1
	forDay
	forJobs
	forCaller
)

// Kind is what may happen at a moment.
type Kind int

// The kinds of event. The first ones are of a phone, the others of its user.
const (
	Open      Kind = iota // the app is opened; where it is not there, or nobody is logged in, perhaps that is mended first
	LogOut                // the user logs out on the phone
	Remove                // the user has the phone removed from the account
	Uninstall             // the app is taken off the phone, of which nobody tells the backend
	Job                   // a job of the user completes, and all devices are told
	Delete                // the user asks for everything to be deleted
)

// Event is what may happen to one of a user's phones, or to the user.
type Event struct {
	At    time.Duration // since the start of the simulation, in whole minutes
	Kind  Kind
	Phone int // its number, for the kinds of a phone

	// For Open alone:
	Rotate  bool // the push service has given the app a new token
	Twice   bool // the app registers twice at the same time
	Check   bool // the app asks how it is registered
	Put     bool // a new token is sent as a change of the device, not as a registration
	Login   bool // somebody who is not logged in does so
	Install bool // the app comes back to a phone that it was taken from
}

// Plan is who a user is and what may happen to them.
type Plan struct {
	Seed   uint64
	Number int

	Zone      time.Duration // east of UTC
	Platforms []string      // of the phones
	Away      time.Duration // since when the user opens nothing any more; most never do that
	Back      time.Duration // and until when
}

// NewPlan draws the user of this number for a simulation of this length.
func NewPlan(seed uint64, number int, duration time.Duration) Plan {
	r := sim.Dice(seed, forUser, uint64(number))
	p := Plan{Seed: seed, Number: number, Zone: time.Duration(r.IntN(19)-8) * time.Hour, Away: maxDuration, Back: maxDuration}
	for range 1 + r.IntN(3) { // two on average: phone and tablet
		p.Platforms = append(p.Platforms, sim.Pick(r, []string{pushgateway.IOS, pushgateway.Android}))
	}
	if r.Float64() < 0.3 {
		p.Away = time.Duration(r.Int64N(int64(duration)/4 + 1)).Truncate(day)
		p.Back = p.Away + Lifetime + time.Duration(r.IntN(30)-10)*day // some shortly before their devices expire
	}
	return p
}

// Day is what may happen on the user's nth day, in order of time. Phones act in even minutes and users in odd ones, but
// for some jobs that complete just when an app is opened.
func (p Plan) Day(n int) []Event {
	midnight := time.Duration(n)*day - p.Zone
	var events []Event
	for phone := range p.Platforms {
		events = append(events, p.phoneDay(n, phone, midnight)...)
	}
	r := sim.Dice(p.Seed, forJobs, uint64(p.Number), uint64(n))
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
	r := sim.Dice(p.Seed, forDay, uint64(p.Number), uint64(phone), uint64(n))
	morning := midnight + 6*time.Hour + evenMinutes(r, 150)
	evening := midnight + 20*time.Hour + evenMinutes(r, 120)
	open := Event{At: morning, Kind: Open, Phone: phone, Rotate: r.Float64() < 0.02, Twice: r.Float64() < 0.05, Check: r.Float64() < 0.1,
		Put: r.Float64() < 0.5, Login: r.Float64() < 0.3, Install: r.Float64() < 0.1}
	opens, last := r.Float64() < 0.8, r.Float64()
	if morning >= p.Away && morning < p.Back {
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

// evenMinutes is up to about most minutes, and few at either end.
func evenMinutes(r *rand.Rand, most int) time.Duration {
	return 2 * time.Duration(r.IntN(most/4)+r.IntN(most/4)) * time.Minute
}
