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

// maxPhones is one more than the maximum of active devices.
const maxPhones = 4

// Plan is a person and their actions: a pure function of seed, number and the duration of the simulation.
type Plan struct {
	Phones  int      // number of phones, 1 to 4
	Actions []Action // in order of time
}

// NewPlan generates the person with this number among so many people, for this duration.
func NewPlan(seed uint64, number, people int, duration time.Duration) Plan {
	r := sim.NewRand(seed, forPerson, uint64(number))
	p := &planner{r: r, number: number, friends: sim.OthersInCircle(number, people), duration: duration,
		Plan: Plan{Phones: 1 + r.IntN(maxPhones)}}
	p.add(Action{At: offTick(0), Kind: ChangeZone, Random: r.Uint64()})
	p.add(Action{At: offTick(tick), Kind: RegisterPhone})
	for at := 2 * tick; at < duration; at += p.hours(16, 44) {
		p.addNotifications(at)
		p.addSocialActions(at)
	}
	for at := p.hours(24, 90); at < duration; at += p.hours(60, 200) {
		p.addPreferenceChanges(at)
	}
	for at := p.hours(12, 60); at < duration; at += p.hours(40, 160) {
		p.addPhoneActions(at)
	}
	slices.SortStableFunc(p.Actions, func(a, b Action) int { return cmp.Compare(a.At, b.At) })
	return p.Plan
}

// planner generates a plan; its actions are not ordered by time.
type planner struct {
	Plan
	r          *rand.Rand
	number     int
	friends    []int // numbers of the people whose posts the person sees
	duration   time.Duration
	dedupeKeys int // dedupeKeys so far
}

func (p *planner) add(d Action) {
	if d.At <= p.duration {
		d.Random = cmp.Or(d.Random, p.r.Uint64())
		p.Actions = append(p.Actions, d)
	}
}

// offTick returns the time off the tick that many people share, seven minutes later: no worker runs then.
func offTick(at time.Duration) time.Duration { return at.Truncate(tick) + 7*time.Minute }

// timeWithin returns a time within the hour: mostly off the tick, sometimes when the workers run, and sometimes in
// between.
func (p *planner) timeWithin(at time.Duration) time.Duration {
	switch roll := p.r.IntN(10); {
	case roll < 2:
		return at.Truncate(tick)
	case roll < 4:
		return at.Truncate(tick) + 40*time.Minute
	}
	return offTick(at)
}

func (p *planner) hours(from, to int) time.Duration {
	return time.Duration(from+p.r.IntN(to-from)) * time.Hour
}

// addNotifications generates what the person looks at, and what the services notify the person of.
func (p *planner) addNotifications(at time.Duration) {
	p.add(Action{At: p.timeWithin(at + p.hours(1, 8)), Kind: [...]Kind{OpenCentre, OpenCentre, OpenCentre,
		ReadAll}[p.r.IntN(4)]})
	d := Action{At: p.timeWithin(at + p.hours(0, 10)), Kind: Notify, To: p.number, Count: 1}
	switch roll := p.r.IntN(20); {
	case roll < 2:
		d.Type = notification.NewsSystemUpdate
	case roll < 4: // a campaign is excessive
		d.Type, d.Count = notification.MarketingPromotion, 1+p.r.IntN(4)
	case roll < 5:
		d.Type = notification.SafetyContentFlagged
	case roll < 6:
		d.Type = notification.SecurityNewDevice
	case roll < 7 && p.r.IntN(4) == 0: // a viral post
		d.Type, d.Count = notification.PostLike, 18+p.r.IntN(8)
	default:
		return
	}
	p.add(d)
}

// addSocialActions generates what the person does to others' posts. Two services know of some of it, one soon after the
// other or so late that it counts as new.
func (p *planner) addSocialActions(at time.Duration) {
	social := []notification.EventType{
		notification.PostLike, notification.PostLike, notification.PostComment, notification.PostShare,
		notification.CommentReply, notification.FollowerNew,
	}
	d := Action{At: p.timeWithin(at + p.hours(0, 10)), Kind: Notify, Type: sim.Pick(p.r, social), Count: 1}
	d.To = sim.Pick(p.r, p.friends)
	if p.r.IntN(2) == 0 {
		p.add(d)
		return
	}
	p.dedupeKeys++
	d.DedupeNumber = p.dedupeKeys
	p.add(d)
	if p.r.IntN(2) == 0 {
		d.At += sim.Pick(p.r, []time.Duration{0, time.Minute, 33 * time.Minute, 55 * time.Minute, time.Hour, 2 * time.Hour,
			26 * time.Hour})
		p.add(d)
	}
}

// addPreferenceChanges generates changes of the person's preferences.
func (p *planner) addPreferenceChanges(at time.Duration) {
	d := Action{At: p.timeWithin(at), Kind: [...]Kind{ChangeZone, ChangeZone, ChangeQuietHours, ToggleCategory,
		ToggleCategory}[p.r.IntN(5)], Random: p.r.Uint64()}
	p.add(d)
	if d.Kind == ToggleCategory { // and on again
		d.At = p.timeWithin(at + p.hours(5, 60))
		p.add(d)
	}
}

// addPhoneActions generates what happens to phones.
func (p *planner) addPhoneActions(at time.Duration) {
	kind := [...]Kind{RegisterPhone, RegisterPhone, RegisterPhone, RenewToken, RenewToken, RevokePhone, UninstallApp,
		RegisterAllPhones}[p.r.IntN(8)]
	p.add(Action{At: p.timeWithin(at), Kind: kind, Phone: p.r.IntN(p.Phones)})
}
