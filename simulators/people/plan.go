package people

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// What a roll is for; two purposes never share numbers.
const (
	forPerson = iota + 1
	forCaller
	forService
	forWorker
)

// tick is the grid of time: workers work on it, and people act between, or on it where that is said.
const tick = time.Hour

// mostPhones is one more than may be active.
const mostPhones = 4

// Plan is who somebody is and what they will do: a pure function of seed, number and how long the simulation lasts.
type Plan struct {
	Phones int    // how many they have, 1 to 4
	Deeds  []Deed // in order of time
}

// NewPlan draws the person of this number among so many, who lives for so long.
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

// planner draws a plan, in no order of time.
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

// aside is the moment that many share, seven minutes past the tick: no worker works then.
func aside(at time.Duration) time.Duration { return at.Truncate(tick) + 7*time.Minute }

// sometime is within the hour: mostly aside, sometimes while the workers work, and sometimes in between.
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

// hears draws what the person looks at, and what the services have to say to the person.
func (p *planner) hears(at time.Duration) {
	p.does(Deed{At: p.sometime(at + p.hours(1, 8)), Kind: [...]Kind{Look, Look, Look, ReadAll}[p.r.IntN(4)]})
	d := Deed{At: p.sometime(at + p.hours(0, 10)), Kind: Tell, To: p.number, Times: 1}
	switch roll := p.r.IntN(20); {
	case roll < 2:
		d.Type = notification.NewsSystemUpdate
	case roll < 4: // a campaign knows no measure
		d.Type, d.Times = notification.MarketingPromotion, 1+p.r.IntN(4)
	case roll < 5:
		d.Type = notification.SafetyContentFlagged
	case roll < 6:
		d.Type = notification.SecurityNewDevice
	case roll < 7 && p.r.IntN(4) == 0: // a post goes around the world
		d.Type, d.Times = notification.PostLike, 18+p.r.IntN(8)
	default:
		return
	}
	p.does(d)
}

// meets draws what the person does to somebody else's posts. Some of that two services know of, one soon after the
// other or so late that it counts as new.
func (p *planner) meets(at time.Duration) {
	social := []notification.EventType{
		notification.PostLike, notification.PostLike, notification.PostComment, notification.PostShare, notification.CommentReply, notification.FollowerNew,
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
		d.At += sim.Pick(p.r, []time.Duration{0, time.Minute, 33 * time.Minute, 55 * time.Minute, time.Hour, 2 * time.Hour, 26 * time.Hour})
		p.does(d)
	}
}

// wishes draws what changes about when and what the person wants to hear.
func (p *planner) wishes(at time.Duration) {
	d := Deed{At: p.sometime(at), Kind: [...]Kind{Fly, Fly, Sleep, Switch, Switch}[p.r.IntN(5)], Choice: p.r.Uint64()}
	p.does(d)
	if d.Kind == Switch { // and on again
		d.At = p.sometime(at + p.hours(5, 60))
		p.does(d)
	}
}

// handles draws what becomes of phones.
func (p *planner) handles(at time.Duration) {
	kind := [...]Kind{PickUp, PickUp, PickUp, Renew, Renew, PutDown, Lose, PickUpAll}[p.r.IntN(8)]
	p.does(Deed{At: p.sometime(at), Kind: kind, Phone: p.r.IntN(p.Phones)})
}
