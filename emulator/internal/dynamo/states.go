package dynamo

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Where tables take their time, an operation on one does its work on the store at once, so that nothing that was answered is
// lost; what takes time is when it shows. A table that is being created or deleted is hidden from all operations but those
// that tell of tables. One that is being updated is described as it was, and has the capacity that it had; its new indexes
// are filled at the end.
//
// The times are those of AWS in us-east-1 and us-west-2 in 2026-10, as users recorded them: 2 to 9 seconds to create a
// table, 4 to 6 to delete one, 1 to 2 to change its capacity, 22 to 31 to encrypt it by another key, 1 to 3 minutes to change
// its mode, 4 to 8 minutes to warm it up. Those of indexes are the model's choice.

// phases are the tables of an account that are in a state of passage.
type transitions struct {
	mu sync.Mutex
	of map[string]*transition
}

// transition is a state of passage.
type transition struct {
	status string            // of the table; active while only its warm throughput is on the way
	shown  *tableDescription // what is told of it meanwhile
}

// span of time from which one is drawn.
type durationRange struct{ least, most time.Duration }

var (
	creatingTable = durationRange{2 * time.Second, 6200 * time.Millisecond}
	creatingIndex = durationRange{time.Second, 3300 * time.Millisecond} // of a new table, in all
	deletingTable = durationRange{4 * time.Second, 6 * time.Second}
	changingUnits = durationRange{time.Second, 2100 * time.Millisecond}
	toProvisioned = durationRange{60 * time.Second, 98 * time.Second}
	toOnDemand    = durationRange{129 * time.Second, 172 * time.Second}
	backOnDemand  = durationRange{4100 * time.Millisecond, 5100 * time.Millisecond} // of a table that was before
	warmingUp     = durationRange{272 * time.Second, 501 * time.Second}
	addingIndex   = durationRange{90 * time.Second, 240 * time.Second}
	encrypting    = durationRange{22 * time.Second, 31 * time.Second}
	removingIndex = durationRange{20 * time.Second, 60 * time.Second}
)

// draw is a time of the span, from the seed.
func (s *Service) draw(l durationRange) time.Duration {
	return l.least + time.Duration(s.random.Next()%uint64((l.most-l.least)/time.Millisecond))*time.Millisecond
}

// transition is a table's state of passage, nil if it is in none.
func (a *account) transition(name string) *transition {
	a.transitions.mu.Lock()
	defer a.transitions.mu.Unlock()
	return a.transitions.of[name]
}

// beginTransition puts a table into a phase, at whose end, unless another one follows before, end is run with a.ddl closed.
func (a *account) beginTransition(name string, p *transition, d time.Duration, end func() error) {
	a.setTransition(name, p)
	a.service.clock.At(a.service.clock.Now().Add(d), func() { a.service.whileServing(func() { a.endTransition(name, p, end) }) })
}

func (a *account) endTransition(name string, p *transition, end func() error) {
	if a.ddl.Close(context.Background()) != nil {
		return
	}
	defer a.unlockTables()
	if !a.isCurrent() || a.transition(name) != p {
		return
	}
	err := func() error {
		defer a.setTransition(name, nil) // afterwards: a table that is ACTIVE has its new index whole
		return end()
	}()
	if err != nil && !errors.Is(err, store.ErrClosed) {
		a.service.log.Error("a change of a table could not be ended", "table", name, "error", err)
	}
	a.service.settled()
}

func (a *account) setTransition(name string, p *transition) {
	a.transitions.mu.Lock()
	defer a.transitions.mu.Unlock()
	if p == nil {
		delete(a.transitions.of, name)
		return
	}
	if a.transitions.of == nil {
		a.transitions.of = map[string]*transition{}
	}
	a.transitions.of[name] = p
}

// isCurrent says whether the account was not replaced by another one of its name, as all are when the state is restored.
func (a *account) isCurrent() bool {
	a.service.mu.Lock()
	defer a.service.mu.Unlock()
	return a.service.accounts[a.name] == a
}

// beginCreating hides a new table until it is created. a.ddl must be closed.
func (a *account) beginCreating(t *table, d *tableDescription) {
	if !a.service.states {
		return
	}
	lasts := a.service.draw(creatingTable)
	if len(t.def.Global) > 0 {
		lasts += a.service.draw(creatingIndex)
	}
	a.setTable(t.def.Name, nil)
	a.beginTransition(t.def.Name, &transition{creating, d}, lasts, func() error {
		a.setTable(t.def.Name, t)
		if t.keyAvailability != nil { // the key may have changed meanwhile
			a.service.clock.At(a.service.clock.Now(), a.service.keysChanged)
		}
		return nil
	})
}

// setTable has operations find a table, or none if it is nil, under a name.
func (a *account) setTable(name string, t *table) {
	tables := maps.Clone(*a.tables.Load())
	if delete(tables, name); t != nil {
		tables[name] = t
	}
	a.tables.Store(&tables)
}

// beginDeleting tells of a table that is gone until it is deleted. a.ddl must be closed.
func (a *account) beginDeleting(name string, d *tableDescription) {
	if a.service.states {
		a.beginTransition(name, &transition{deleting, d}, a.service.draw(deletingTable), func() error { return nil })
	}
}

// beginUpdating tells of a table as it was until its update is done. a.ddl must be closed.
func (u *tableUpdate) beginUpdating(t *table, d *tableDescription) {
	lasts := u.lasts()
	if lasts == 0 {
		u.request.account.measure(t)
		return
	}
	a := u.request.account // the caller serves another request by then
	a.beginTransition(t.def.Name, &transition{d.TableStatus, d}, lasts, func() error {
		current, err := a.namedTable(t.def.Name)
		if err != nil {
			return err
		}
		a.measure(current)
		_, err = a.finish(current)
		return err
	})
}

// lasts is how long an update takes: as long as what takes longest of it.
func (u *tableUpdate) lasts() time.Duration {
	var longest time.Duration
	take := func(l durationRange) { longest = max(longest, u.request.service.draw(l)) }
	switch {
	case u.old.BillingMode == u.new.BillingMode:
	case u.new.BillingMode == provisioned:
		take(toProvisioned)
	case u.old.OnDemandSince != 0:
		take(backOnDemand)
	default:
		take(toOnDemand)
	}
	if u.in.takesTime() {
		take(changingUnits)
	}
	if u.in.SSESpecification != nil {
		take(encrypting)
	}
	if len(u.added) > 0 {
		take(addingIndex)
	}
	if len(u.removed) > 0 {
		take(removingIndex)
	}
	if u.new.warmsUp(u.old) {
		take(warmingUp)
	}
	return longest
}

// warmsUp says whether a definition has more warm throughput than its capacity comes with.
func (def *definition) warmsUp(old *definition) bool {
	more := func(now, was warmThroughput) bool { return now.Reads > was.Reads || now.Writes > was.Writes }
	if more(def.Warm, old.Warm.raised(least(def.BillingMode, def.Throughput))) {
		return true
	}
	for _, x := range def.Global {
		if at := indexAt(old.Global, x.Name); at >= 0 && more(x.Warm, old.Global[at].Warm.raised(least(def.BillingMode, x.Throughput))) {
			return true
		}
	}
	return false
}
