package control

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Where tables take their time, an operation on one does its work on the store at once, so that nothing that was
// answered is lost; what takes time is when it shows. A table that is being created or deleted is hidden from all
// operations but those that tell of tables. One that is being updated is described as it was, and has the capacity that
// it had; its new indexes are filled at the end.
//
// The times are those of AWS in us-east-1 and us-west-2 in 2026-10, as users recorded them: 2 to 9 seconds to create a
// table, 4 to 6 to delete one, 1 to 2 to change its capacity, 22 to 31 to encrypt it by another key, 1 to 3 minutes to
// change its mode, 4 to 8 minutes to warm it up. Those of indexes are the model's choice.

// tablesPlane keeps which tables of an account are in a transitional state.
type Plane struct{ engine.NoPlane }

// transitions are the tables of an account that are in a transitional state.
type transitions struct {
	mu sync.Mutex
	of map[string]*Transition
	// Restoring are the names of tables that are being restored, and what from. Guarded by the account's DDL.
	Restoring map[string]string
}

func (*Plane) NewResident() engine.Resident { return &transitions{Restoring: map[string]string{}} }

func (t *transitions) Empty() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.Restoring)+len(t.of) == 0
}

// Transitions are those of an account.
func Transitions(a *engine.Account) *transitions { return engine.ResidentOf[*transitions](a) }

// names appends the names of the tables in a transitional state.
func (t *transitions) names(dst []string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.AppendSeq(dst, maps.Keys(t.of))
}

// Transition is a transitional state.
type Transition struct {
	Status string            // of the table; active while only its warm throughput is on the way
	Shown  *TableDescription // what is told of it meanwhile
}

// span of time from which one is drawn.
type DurationRange struct{ Least, Most time.Duration }

var (
	creatingTable = DurationRange{2 * time.Second, 6200 * time.Millisecond}
	creatingIndex = DurationRange{time.Second, 3300 * time.Millisecond} // of a new table, in all
	deletingTable = DurationRange{4 * time.Second, 6 * time.Second}
	changingUnits = DurationRange{time.Second, 2100 * time.Millisecond}
	toProvisioned = DurationRange{60 * time.Second, 98 * time.Second}
	toOnDemand    = DurationRange{129 * time.Second, 172 * time.Second}
	backOnDemand  = DurationRange{4100 * time.Millisecond, 5100 * time.Millisecond} // of a table that was before
	warmingUp     = DurationRange{272 * time.Second, 501 * time.Second}
	addingIndex   = DurationRange{90 * time.Second, 240 * time.Second}
	encrypting    = DurationRange{22 * time.Second, 31 * time.Second}
	removingIndex = DurationRange{20 * time.Second, 60 * time.Second}
)

// Draw is a time of the span, from the seed.
func Draw(s *engine.Engine, l DurationRange) time.Duration {
	return l.Least + time.Duration(s.Random.Next()%uint64((l.Most-l.Least)/time.Millisecond))*time.Millisecond
}

// TransitionOf is a table's transitional state, nil if it is in none.
func TransitionOf(a *engine.Account, name string) *Transition {
	all := Transitions(a)
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.of[name]
}

// BeginTransition puts a table into a phase, at whose end, unless another one follows before, end is run with a.DDL
// closed.
func BeginTransition(a *engine.Account, name string, p *Transition, d time.Duration, end func() error) {
	setTransition(a, name, p)
	a.Engine.Clock.At(a.Engine.Clock.Now().Add(d), func() { a.Engine.WhileServing(func() { endTransition(a, name, p, end) }) })
}

func endTransition(a *engine.Account, name string, p *Transition, end func() error) {
	if a.DDL.Close(context.Background()) != nil {
		return
	}
	defer a.UnlockTables()
	if !a.IsCurrent() || TransitionOf(a, name) != p {
		return
	}
	err := func() error {
		defer setTransition(a, name, nil) // afterwards: a table that is ACTIVE has its new index whole
		return end()
	}()
	if err != nil && !errors.Is(err, store.ErrClosed) {
		a.Engine.Log.Error("a change of a table could not be ended", "table", name, "error", err)
	}
	a.Engine.Settled()
}

func setTransition(a *engine.Account, name string, p *Transition) {
	all := Transitions(a)
	all.mu.Lock()
	defer all.mu.Unlock()
	if p == nil {
		delete(all.of, name)
		return
	}
	if all.of == nil {
		all.of = map[string]*Transition{}
	}
	all.of[name] = p
}

// beginCreating hides a new table until it is created. a.DDL must be closed.
func beginCreating(a *engine.Account, t *engine.Table, d *TableDescription) {
	if !a.Engine.States {
		return
	}
	lasts := Draw(a.Engine, creatingTable)
	if len(t.Def.Global) > 0 {
		lasts += Draw(a.Engine, creatingIndex)
	}
	SetTable(a, t.Def.Name, nil)
	BeginTransition(a, t.Def.Name, &Transition{engine.Creating, d}, lasts, func() error {
		SetTable(a, t.Def.Name, t)
		if t.Availability != nil { // the key may have changed meanwhile
			a.Engine.Clock.At(a.Engine.Clock.Now(), engine.PlaneOf[*encryption.Plane](a.Engine).KeysChanged)
		}
		return nil
	})
}

// SetTable has operations find a table, or none if it is nil, under a name.
func SetTable(a *engine.Account, name string, t *engine.Table) {
	tables := maps.Clone(*a.Tables.Load())
	if delete(tables, name); t != nil {
		tables[name] = t
	}
	a.Tables.Store(&tables)
}

// beginDeleting tells of a table that is gone until it is deleted. a.DDL must be closed.
func beginDeleting(a *engine.Account, name string, d *TableDescription) {
	if a.Engine.States {
		BeginTransition(a, name, &Transition{engine.Deleting, d}, Draw(a.Engine, deletingTable), func() error { return nil })
	}
}

// beginUpdating tells of a table as it was until its update is done. a.DDL must be closed.
func (u *tableUpdate) beginUpdating(t *engine.Table, d *TableDescription) {
	lasts := u.lasts()
	if lasts == 0 {
		u.request.Account.Measure(t)
		return
	}
	a := u.request.Account // the caller serves another request by then
	BeginTransition(a, t.Def.Name, &Transition{d.TableStatus, d}, lasts, func() error {
		current, err := a.NamedTable(t.Def.Name)
		if err != nil {
			return err
		}
		a.Measure(current)
		_, err = a.Finish(current)
		return err
	})
}

// lasts is how long an update takes: as long as what takes longest of it.
func (u *tableUpdate) lasts() time.Duration {
	var longest time.Duration
	take := func(l DurationRange) { longest = max(longest, Draw(u.request.Engine, l)) }
	switch {
	case u.old.BillingMode == u.new.BillingMode:
	case u.new.BillingMode == engine.Provisioned:
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
	if warmsUp(u.new, u.old) {
		take(warmingUp)
	}
	return longest
}

// warmsUp says whether a definition has more warm throughput than its capacity comes with.
func warmsUp(def *engine.Definition, old *engine.Definition) bool {
	more := func(now, was engine.WarmThroughput) bool { return now.Reads > was.Reads || now.Writes > was.Writes }
	if more(def.Warm, old.Warm.Raised(engine.Least(def.BillingMode, def.Throughput))) {
		return true
	}
	for _, x := range def.Global {
		if at := engine.IndexAt(old.Global, x.Name); at >= 0 && more(x.Warm, old.Global[at].Warm.Raised(engine.Least(def.BillingMode, x.Throughput))) {
			return true
		}
	}
	return false
}
