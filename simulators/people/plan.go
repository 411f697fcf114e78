package people

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Purposes of random streams; no two purposes share numbers.
const (
	forPerson = iota + 1
	forCaller
	forService
	forWorker
)

// tick is the time grid: workers run on it, and people act off it unless stated otherwise.
const tick = time.Hour

// mostPhones is one more than the maximum of active devices.
const mostPhones = 4

// Plan is a person and their deeds: a pure function of seed, number and the duration of the simulation.
type Plan struct {
	Phones int    // number of phones, 1 to 4
	Deeds  []Deed // in order of time
}

// NewPlan generates the person with this number among so many people, for this duration.
func NewPlan(seed uint64, number, people int, duration time.Duration) Plan {
	r := sim.Dice(seed, forPerson, uint64(number))
	p := &planner{r: r, number: number, people: people, duration: duration, Plan: Plan{Phones: 1 + r.IntN(mostPhones)}}
	p.does(Deed{At: aside(0), Kind: Fly, Choice: r.Uint64()})
	p.does(Deed{At: aside(tick), Kind: PickUp})
	for at := 2 * tick; at < duration; at += p.hours(16, 44) {
		p.hears(at)
		p.meets(at)
	}
	for at := p.hours(24, 90); at < duration; at += p.hours(60, 200) {
		p.wishes(at)
	}
	for at := p.hours(12, 60); at < duration; at += p.hours(40, 160) {
		p.handles(at)
	}
	slices.SortStableFunc(p.Deeds, func(a, b Deed) int { return cmp.Compare(a.At, b.At) })
	return p.Plan
}

// planner generates a plan; its deeds are not ordered by time.
type planner struct {
	Plan
	r              *rand.Rand
	number, people int
	duration       time.Duration
	keys           int // dedupeKeys so far
}

func (p *planner) does(d Deed) {
	if d.At <= p.duration {
		d.Choice = cmp.Or(d.Choice, p.r.Uint64())
		p.Deeds = append(p.Deeds, d)
	}
}

// aside returns the time off the tick that many people share, seven minutes later: no worker runs then.
func aside(at time.Duration) time.Duration { return at.Truncate(tick) + 7*time.Minute }

// sometime returns a time within the hour: mostly aside, sometimes when the workers run, and sometimes in between.
func (p *planner) sometime(at time.Duration) time.Duration {
	switch roll := p.r.IntN(10); {
	case roll < 2:
		return at.Truncate(tick)
	case roll < 4:
		return at.Truncate(tick) + 40*time.Minute
	}
	return aside(at)
}

func (p *planner) hours(from, to int) time.Duration {
	return time.Duration(from+p.r.IntN(to-from)) * time.Hour
}

// hears generates what the person looks at, and what the services notify the person of.
func (p *planner) hears(at time.Duration) {
	p.does(Deed{At: p.sometime(at + p.hours(1, 8)), Kind: [...]Kind{Look, Look, Look, ReadAll}[p.r.IntN(4)]})
	d := Deed{At: p.sometime(at + p.hours(0, 10)), Kind: Tell, To: p.number, Times: 1}
	switch roll := p.r.IntN(20); {
	case roll < 2:
		d.Type = notification.NewsSystemUpdate
	case roll < 4: // a campaign is excessive
		d.Type, d.Times = notification.MarketingPromotion, 1+p.r.IntN(4)
	case roll < 5:
		d.Type = notification.SafetyContentFlagged
	case roll < 6:
		d.Type = notification.SecurityNewDevice
	case roll < 7 && p.r.IntN(4) == 0: // a viral post
		d.Type, d.Times = notification.PostLike, 18+p.r.IntN(8)
	default:
		return
	}
	p.does(d)
}

// meets generates what the person does to others' posts. Two services know of some of it, one soon after the other or
// so late that it counts as new.
func (p *planner) meets(at time.Duration) {
	social := []notification.EventType{
		notification.PostLike, notification.PostLike, notification.PostComment, notification.PostShare,
		notification.CommentReply, notification.FollowerNew,
	}
	d := Deed{At: p.sometime(at + p.hours(0, 10)), Kind: Tell, Type: sim.Pick(p.r, social), Times: 1}
	d.To = (p.number + 1 + p.r.IntN(p.people-1)) % p.people
	if p.r.IntN(2) == 0 {
		p.does(d)
		return
	}
	p.keys++
	d.Key = p.keys
	p.does(d)
	if p.r.IntN(2) == 0 {
		d.At += sim.Pick(p.r, []time.Duration{0, time.Minute, 33 * time.Minute, 55 * time.Minute, time.Hour, 2 * time.Hour,
			26 * time.Hour})
		p.does(d)
	}
}

// wishes generates changes of the person's preferences.
func (p *planner) wishes(at time.Duration) {
	d := Deed{At: p.sometime(at), Kind: [...]Kind{Fly, Fly, Sleep, Switch, Switch}[p.r.IntN(5)], Choice: p.r.Uint64()}
	p.does(d)
	if d.Kind == Switch { // and on again
		d.At = p.sometime(at + p.hours(5, 60))
		p.does(d)
	}
}

// handles generates what happens to phones.
func (p *planner) handles(at time.Duration) {
	kind := [...]Kind{PickUp, PickUp, PickUp, Renew, Renew, PutDown, Lose, PickUpAll}[p.r.IntN(8)]
	p.does(Deed{At: p.sometime(at), Kind: kind, Phone: p.r.IntN(p.Phones)})
}
