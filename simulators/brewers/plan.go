package brewers

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Purposes of random streams; no two purposes share numbers.
const (
	forBrewer = iota + 1
	forBatch
	forCaller
	forToken
)

// tick is the time grid: schedulers run and reminders fall due on it, and brewers act off it.
const tick = 30 * time.Minute

// Plan is a brewer and their actions: a pure function of seed, number and the duration of the simulation.
type Plan struct {
	UserID        string
	Email, Name   string
	Notifications bool // whether they want pushes
	Leaves        bool // whether they delete everything at the end
	Batches       []Recipe
	Actions       []Action // in order of time
}

// Recipe is the recipe of a batch.
type Recipe struct {
	Name                     string
	Water, Bottles, Volume   int // ml, count, ml
	Sugar, TemperatureC      float64
	Fruits                   string
	HoursStage1, HoursStage2 int
}

// NewPlan generates the brewer with this number, for this duration.
func NewPlan(seed uint64, number int, duration time.Duration) Plan {
	r := sim.NewRand(seed, forBrewer, uint64(number))
	p := &planner{r: r, duration: duration, Plan: Plan{
		UserID: fmt.Sprintf("brewer-%d-%d", seed, number), Email: fmt.Sprintf("brewer%d@example.com", number),
		Name: sim.Pick(r, firstNames()), Notifications: r.Float64() < 0.9, Leaves: r.Float64() < 0.08,
	}}
	joined := p.within(0, min(duration/4, 72*time.Hour))
	p.add(Action{At: joined, Kind: SignUp})
	p.addPhones(joined + tick)
	for at := p.within(joined+tick, joined+12*time.Hour); at < duration; at += p.hours(60, 160) {
		p.addBatch(at)
	}
	if r.Float64() < 0.4 {
		p.add(Action{At: p.within(joined+tick, duration), Kind: ChangeSettings, Text: p.Name + " from the kitchen"})
	}
	for range r.IntN(4) {
		p.add(Action{At: p.within(joined+tick, duration), Kind: ReadStranger})
	}
	p.add(Action{At: p.within(duration-2*tick, duration-tick), Kind: Export})
	if p.Leaves {
		p.add(Action{At: offTick(duration), Kind: DeleteAccount})
	}
	slices.SortStableFunc(p.Actions, func(a, b Action) int { return cmp.Compare(a.At, b.At) })
	return p.Plan
}

// planner generates a plan; its actions are not ordered by time.
type planner struct {
	Plan
	r             *rand.Rand
	duration      time.Duration
	reminderCount int
	noteCount     int // notes and photos, to make each unique
}

func (p *planner) add(d Action) {
	if d.At <= p.duration || d.Kind == DeleteAccount {
		p.Actions = append(p.Actions, d)
	}
}

// offTick returns the time off the tick that many brewers share, seven minutes later: no scheduler runs then.
func offTick(at time.Duration) time.Duration { return at.Truncate(tick) + 7*time.Minute }

func (p *planner) within(from, to time.Duration) time.Duration {
	return offTick(from + time.Duration(p.r.Int64N(int64(max(to-from, 1)))))
}

func (p *planner) hours(from, to int) time.Duration {
	return time.Duration(from+p.r.IntN(to-from)) * time.Hour
}

// addPhones generates one or two phones; the first one's token changes now and then, and the second one may be removed.
func (p *planner) addPhones(from time.Duration) {
	p.add(Action{At: offTick(from), Kind: RegisterPhone})
	for at := from + p.hours(24, 400); at < p.duration; at += p.hours(100, 600) {
		p.add(Action{At: offTick(at), Kind: RegisterPhone})
	}
	if p.r.Float64() < 0.3 {
		second := p.within(from, p.duration)
		p.add(Action{At: second, Kind: RegisterPhone, Phone: 1})
		if p.r.Float64() < 0.5 {
			p.add(Action{At: p.within(second+tick, p.duration+tick), Kind: RemovePhone, Phone: 1})
		}
	}
}

// addBatch generates a batch that starts at this time, and how far it gets.
func (p *planner) addBatch(at time.Duration) {
	n, r := len(p.Batches), p.r
	fruits := sim.Pick(r, allFruits())
	recipe := Recipe{
		Name: fmt.Sprintf("%s no. %d", fruits, n+1), Fruits: fruits, Water: 500 * (1 + r.IntN(6)),
		Sugar:        float64(30 + 5*r.IntN(10)),
		TemperatureC: 19 + float64(r.IntN(14))/2, HoursStage1: 24 + r.IntN(49), HoursStage2: 12 + r.IntN(37),
		Bottles: 1 + r.IntN(6), Volume: 330,
	}
	p.Batches = append(p.Batches, recipe)
	p.add(Action{At: offTick(at), Kind: StartBatch, Batch: n})
	bottled := offTick(at) + time.Duration(recipe.HoursStage1)*time.Hour
	p.addReminder(n, at, bottled, "Time to bottle "+recipe.Name)
	p.addNotes(n, at, bottled)
	if r.Float64() < 0.1 { // mould
		p.add(Action{At: p.within(at+tick, bottled), Kind: ChangeStatus, Batch: n, Text: "archived"})
		return
	}
	p.add(Action{At: offTick(bottled + tick), Kind: Bottle, Batch: n})
	p.addSecondStage(n, bottled+tick, recipe)
}

// addSecondStage generates the second stage of a batch that was bottled at this time.
func (p *planner) addSecondStage(n int, bottled time.Duration, recipe Recipe) {
	done := bottled + time.Duration(recipe.HoursStage2)*time.Hour
	p.addReminder(n, bottled, done, "Taste "+recipe.Name)
	p.addNotes(n, bottled, done)
	for _, status := range []string{"in_fridge", "ready", "archived"} {
		p.add(Action{At: offTick(done), Kind: ChangeStatus, Batch: n, Text: status})
		if status == "ready" && p.r.Float64() < 0.4 {
			p.addShare(n, done)
		}
		done += p.hours(4, 72)
	}
	p.add(Action{At: p.within(bottled, done), Kind: ReadTimeline, Batch: n})
}

// addShare makes a batch public, for a while or for good.
func (p *planner) addShare(n int, at time.Duration) {
	p.add(Action{At: offTick(at + tick), Kind: Share, Batch: n, Text: sim.Pick(p.r, publicNotes())})
	if p.r.Float64() < 0.3 {
		p.add(Action{At: p.within(at+2*tick, at+72*time.Hour), Kind: Unshare, Batch: n})
	}
}

// addReminder sets a reminder for a time. Some are cancelled before, some just as they fall due, and some too late.
func (p *planner) addReminder(n int, set, due time.Duration, message string) {
	due = due.Truncate(tick)
	if p.duration < due+tick || p.r.Float64() < 0.15 || due < set+3*tick {
		return
	}
	number := p.reminderCount
	p.reminderCount++
	p.add(Action{At: offTick(set + tick), Kind: SetReminder, Batch: n, Reminder: number, Due: due, Text: message})
	p.add(Action{At: due, Kind: ReminderDue, Batch: n, Reminder: number, Due: due})
	cancel := Action{Kind: CancelReminder, Batch: n, Reminder: number, Due: due}
	switch roll := p.r.Float64(); {
	case roll < 0.1:
		cancel.At = p.within(set+2*tick, due-tick)
	case roll < 0.2:
		cancel.At = due
	case roll < 0.25:
		cancel.At = offTick(due)
	default:
		if p.r.Float64() < 0.3 {
			p.add(Action{At: p.within(set+2*tick, due), Kind: ReadUpcoming})
		}
		return
	}
	p.add(cancel)
}

// addNotes generates notes and photos of a batch between two times.
func (p *planner) addNotes(n int, from, to time.Duration) {
	for range p.r.IntN(4) {
		p.noteCount++
		at := p.within(from+tick, to)
		if p.r.Float64() < 0.3 {
			p.add(Action{At: at, Kind: AddPhoto, Batch: n, Text: fmt.Sprintf("photos/%s/%d.jpg", p.UserID, p.noteCount)})
			continue
		}
		p.add(Action{At: at, Kind: AddNote, Batch: n, Text: fmt.Sprintf("%s (note %d)", sim.Pick(p.r, notes()), p.noteCount)})
	}
}
