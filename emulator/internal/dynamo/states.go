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
type phases struct {
	mu sync.Mutex
	of map[string]*phase
}

// phase is a state of passage.
type phase struct {
	status string            // of the table; active while only its warm throughput is on the way
	shown  *tableDescription // what is told of it meanwhile
}

// span of time from which one is drawn.
type lasting struct{ least, most time.Duration }

var (
	creatingTable = lasting{2 * time.Second, 6200 * time.Millisecond}
	creatingIndex = lasting{time.Second, 3300 * time.Millisecond} // of a new table, in all
	deletingTable = lasting{4 * time.Second, 6 * time.Second}
	changingUnits = lasting{time.Second, 2100 * time.Millisecond}
	toProvisioned = lasting{60 * time.Second, 98 * time.Second}
	toOnDemand    = lasting{129 * time.Second, 172 * time.Second}
	backOnDemand  = lasting{4100 * time.Millisecond, 5100 * time.Millisecond} // of a table that was before
	warmingUp     = lasting{272 * time.Second, 501 * time.Second}
	addingIndex   = lasting{90 * time.Second, 240 * time.Second}
	encrypting    = lasting{22 * time.Second, 31 * time.Second}
	removingIndex = lasting{20 * time.Second, 60 * time.Second}
)

// draw is a time of the span, from the seed.
func (s *Service) draw(l lasting) time.Duration {
	return l.least + time.Duration(s.random.Next()%uint64((l.most-l.least)/time.Millisecond))*time.Millisecond
}

// phase is a table's state of passage, nil if it is in none.
func (a *account) phase(name string) *phase {
	a.phases.mu.Lock()
	defer a.phases.mu.Unlock()
	return a.phases.of[name]
}

// enter puts a table into a phase, at whose end, unless another one follows before, end is run with a.ddl closed.
func (a *account) enter(name string, p *phase, d time.Duration, end func() error) {
	a.setPhase(name, p)
	a.clock.At(a.clock.Now().Add(d), func() { a.whileServing(func() { a.leavePhase(name, p, end) }) })
}

func (a *account) leavePhase(name string, p *phase, end func() error) {
	if a.ddl.Close(context.Background()) != nil {
		return
	}
	defer a.defined()
	if !a.isCurrent() || a.phase(name) != p {
		return
	}
	err := end()
	a.setPhase(name, nil) // afterwards: a table that is ACTIVE has its new index whole
	if err != nil && !errors.Is(err, store.ErrClosed) {
		a.log.Error("a change of a table could not be ended", "table", name, "error", err)
	}
	a.settled()
}

func (a *account) setPhase(name string, p *phase) {
	a.phases.mu.Lock()
	defer a.phases.mu.Unlock()
	if p == nil {
		delete(a.phases.of, name)
		return
	}
	if a.phases.of == nil {
		a.phases.of = map[string]*phase{}
	}
	a.phases.of[name] = p
}

// isCurrent says whether the account was not replaced by another one of its name, as all are when the state is restored.
func (a *account) isCurrent() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.accounts[a.name] == a
}

// beCreated hides a new table until it is created. a.ddl must be closed.
func (a *account) beCreated(t *table, d *tableDescription) {
	if !a.states {
		return
	}
	lasts := a.draw(creatingTable)
	if len(t.def.Global) > 0 {
		lasts += a.draw(creatingIndex)
	}
	a.show(t.def.Name, nil)
	a.enter(t.def.Name, &phase{creating, d}, lasts, func() error {
		a.show(t.def.Name, t)
		if t.custody != nil { // the key may have changed meanwhile
			a.clock.At(a.clock.Now(), a.checkKeys)
		}
		return nil
	})
}

// show has operations find a table, or none if it is nil, under a name.
func (a *account) show(name string, t *table) {
	tables := maps.Clone(*a.tables.Load())
	if delete(tables, name); t != nil {
		tables[name] = t
	}
	a.tables.Store(&tables)
}

// beDeleted tells of a table that is gone until it is deleted. a.ddl must be closed.
func (a *account) beDeleted(name string, d *tableDescription) {
	if a.states {
		a.enter(name, &phase{deleting, d}, a.draw(deletingTable), func() error { return nil })
	}
}

// beUpdated tells of a table as it was until its update is done. a.ddl must be closed.
func (u *tableUpdate) beUpdated(t *table, d *tableDescription) {
	lasts := u.lasts()
	if lasts == 0 {
		u.measure(t)
		return
	}
	a := u.account // the caller serves another request by then
	a.enter(t.def.Name, &phase{d.TableStatus, d}, lasts, func() error {
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
	take := func(l lasting) { longest = max(longest, u.draw(l)) }
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
