package control

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// With States, an operation on a table still does its work in the store at once, so that nothing acknowledged is lost;
// only its visible effects are delayed. A table that is CREATING or DELETING is hidden from all operations except those
// that describe or list tables. A table that is UPDATING keeps its previous description and capacity; its new indexes
// are backfilled at the end.
//
// The durations are those of AWS in us-east-1 and us-west-2 in 2026-10, as recorded by users: 2 to 9 seconds to create
// a table, 4 to 6 to delete one, 1 to 2 to change its capacity, 22 to 31 to change its encryption key, 1 to 3 minutes
// to change its billing mode, 4 to 8 minutes to raise its warm throughput. The durations for indexes are our choice.

// Extension keeps, for each account, the tables that are in a transitional state.
type Extension struct{ engine.BaseExtension }

// transitions are an account's tables in a transitional state.
type transitions struct {
	mu      sync.Mutex
	byTable map[string]*Transition
	// Restoring maps the names of tables that are being restored to their sources. Guarded by the account's DDL.
	Restoring map[string]string
}

func (*Extension) NewState() engine.ExtensionState {
	return &transitions{Restoring: map[string]string{}}
}

func (t *transitions) Empty() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.Restoring)+len(t.byTable) == 0
}

// Transitions returns the transitions of an account.
func Transitions(a *engine.Account) *transitions { return engine.StateOf[*transitions](a) }

// names appends the names of the tables in a transitional state that can be described.
func (t *transitions) names(dst []string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, transition := range t.byTable {
		if transition.replica == existingReplica {
			dst = append(dst, name)
		}
	}
	return dst
}

// Transition is a transitional state.
type Transition struct {
	Status      string             // of the table; ACTIVE while only its warm throughput changes, or a replica leaves
	Description *TableDescription  // the description during the transition
	changes     settings           // of UpdateTable
	target      *engine.Definition // to which UpdateTable changes the table
	replica     replicaPhase       // of a replica that is added
	pinned      bool               // its description lists the replicas as they were
	leaving     *leaving           // the replicas that leave the table's group; nil: none
}

// DurationRange is a range from which a duration is drawn.
type DurationRange struct{ Min, Max time.Duration }

var (
	creatingTable = DurationRange{2 * time.Second, 6200 * time.Millisecond}
	// of a new table, for all its indexes together
	creatingIndex         = DurationRange{time.Second, 3300 * time.Millisecond}
	deletingTable         = DurationRange{4 * time.Second, 6 * time.Second}
	changingUnits         = DurationRange{time.Second, 2100 * time.Millisecond}
	changingToProvisioned = DurationRange{60 * time.Second, 98 * time.Second}
	changingToOnDemand    = DurationRange{129 * time.Second, 172 * time.Second}
	// returningToOnDemand is for a table that was on-demand before.
	returningToOnDemand   = DurationRange{4100 * time.Millisecond, 5100 * time.Millisecond}
	raisingWarmThroughput = DurationRange{272 * time.Second, 501 * time.Second}
	addingIndex           = DurationRange{90 * time.Second, 240 * time.Second}
	encrypting            = DurationRange{22 * time.Second, 31 * time.Second}
	removingIndex         = DurationRange{20 * time.Second, 60 * time.Second}
)

// RandomDuration returns a random duration in the range, from the engine's random stream.
func RandomDuration(e *engine.Engine, r DurationRange) time.Duration {
	return r.Min + time.Duration(e.Random.Next()%uint64((r.Max-r.Min)/time.Millisecond))*time.Millisecond
}

// TransitionOf returns a table's transitional state, nil if it is in none.
func TransitionOf(a *engine.Account, name string) *Transition {
	all := Transitions(a)
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.byTable[name]
}

// BeginTransition puts a table into the transitional state p for the duration d. At the end it runs end with a.DDL
// closed, unless another transition has replaced p.
func BeginTransition(a *engine.Account, name string, transition *Transition, d time.Duration, end func() error) {
	setTransition(a, name, transition)
	a.Engine.Clock.At(a.Engine.Clock.Now().Add(d), func() {
		a.Engine.RunIfServing(func() { endTransition(a, name, transition, end) })
	})
}

func endTransition(a *engine.Account, name string, transition *Transition, end func() error) {
	if a.DDL.Close(context.Background()) != nil {
		return
	}
	defer a.UnlockTables()
	if !a.IsRegistered() || TransitionOf(a, name) != transition {
		return
	}
	err := func() error {
		defer func() { // after end: a table that is ACTIVE has its new index complete
			if TransitionOf(a, name) == transition { // otherwise end began the next one
				setTransition(a, name, nil)
			}
		}()
		return end()
	}()
	if err != nil && !errors.Is(err, store.ErrClosed) && !errors.Is(err, context.Canceled) {
		a.Engine.Log.Error("a table could not leave its transitional state", "table", name, "error", err)
	}
	a.Engine.OnTransitionEnd()
}

func setTransition(a *engine.Account, name string, transition *Transition) {
	all := Transitions(a)
	all.mu.Lock()
	defer all.mu.Unlock()
	if transition == nil {
		delete(all.byTable, name)
		return
	}
	if all.byTable == nil {
		all.byTable = map[string]*Transition{}
	}
	all.byTable[name] = transition
}

// beginCreating hides a new table until it is ACTIVE. a.DDL must be closed.
func beginCreating(a *engine.Account, t *engine.Table, d *TableDescription) {
	if !a.Engine.States {
		return
	}
	duration := RandomDuration(a.Engine, creatingTable)
	if len(t.Def.Global)+len(t.Def.Vectors) > 0 {
		duration += RandomDuration(a.Engine, creatingIndex)
	}
	SetTable(a, t.Def.Name, nil)
	BeginTransition(a, t.Def.Name, &Transition{Status: engine.Creating, Description: d}, duration, func() error {
		SetTable(a, t.Def.Name, t)
		if t.Availability != nil { // the KMS key may have changed in the meantime
			a.Engine.Clock.At(a.Engine.Clock.Now(), engine.ExtensionOf[*encryption.Extension](a.Engine).KeysChanged)
		}
		return nil
	})
}

// SetTable makes operations find t under a name, or no table if t is nil.
func SetTable(a *engine.Account, name string, t *engine.Table) {
	tables := maps.Clone(*a.Tables.Load())
	if delete(tables, name); t != nil {
		tables[name] = t
	}
	a.Tables.Store(&tables)
}

// beginDeleting describes a dropped table as DELETING for a while. a.DDL must be closed.
func beginDeleting(a *engine.Account, name string, d *TableDescription) {
	if a.Engine.States {
		BeginTransition(a, name, &Transition{Status: engine.Deleting, Description: d},
			RandomDuration(a.Engine, deletingTable), func() error { return nil })
	}
}

// beginUpdating keeps the table's description at d until the update is complete. a.DDL must be closed.
func (u *tableUpdate) beginUpdating(t *engine.Table, d *TableDescription) {
	duration := u.duration()
	running := TransitionOf(u.request.Account, t.Def.Name)
	if running != nil && running.Status == engine.Updating && duration != 0 {
		d.TableClassSummary = running.Description.TableClassSummary
		if u.in.SSESpecification == nil { // (ack-api-quirks DDB-TABLE-450, 2026-10-09)
			d.TableStatus = engine.Updating
		}
		return // the end of the running change is also the end of this one
	}
	if duration == 0 {
		if running != nil {
			running.applyTo(d) // the change has no part in it
			return
		}
		u.request.Account.ApplyCapacity(t)
		return
	}
	a := u.request.Account // the Request serves another request by then
	transition := &Transition{Status: d.TableStatus, Description: d, changes: *u.in.changes(),
		target: t.Def}
	BeginTransition(a, t.Def.Name, transition, duration, func() error {
		current, err := a.NamedTable(t.Def.Name)
		if err != nil {
			return err
		}
		a.ApplyCapacity(current)
		_, err = a.FinishWork(a.Engine.WorkContext(), current)
		return err
	})
}

// duration returns the duration of an update: that of its longest part. A change that changes nothing takes no time,
// except that of a key to itself. (ack-api-quirks DDB-TABLE-177, 2026-10-08, and DDB-TABLE-141.)
func (u *tableUpdate) duration() time.Duration {
	var longest time.Duration
	if u.in.SSESpecification == nil && reflect.DeepEqual(u.old, u.new) {
		return 0
	}
	extend := func(r DurationRange) { longest = max(longest, RandomDuration(u.request.Engine, r)) }
	switch {
	case u.old.BillingMode == u.new.BillingMode:
	case u.new.BillingMode == engine.Provisioned:
		extend(changingToProvisioned)
	case u.old.OnDemandSince != 0:
		extend(returningToOnDemand)
	default:
		extend(changingToOnDemand)
	}
	if u.becomesUpdating() || u.in.changes().indexes {
		extend(changingUnits)
	}
	if u.becomesUpdating() && u.old.Replication != nil {
		extend(changingReplica)
	}
	if u.in.SSESpecification != nil {
		extend(encrypting)
	}
	if len(u.added)+len(u.addedVectors) > 0 {
		extend(addingIndex)
	}
	if len(u.removed)+len(u.removedVectors) > 0 {
		extend(removingIndex)
	}
	if raisesWarmThroughput(u.new, u.old) {
		extend(raisingWarmThroughput)
	}
	return longest
}

// raisesWarmThroughput reports whether a definition has more warm throughput than its capacity implies.
func raisesWarmThroughput(def *engine.Definition, old *engine.Definition) bool {
	exceeds := func(current, previous engine.WarmThroughput) bool {
		return current.Reads > previous.Reads || current.Writes > previous.Writes
	}
	if exceeds(def.Warm, old.Warm.Max(engine.BaselineWarmThroughput(def.BillingMode, def.Throughput))) {
		return true
	}
	for _, x := range def.Global {
		if at := engine.IndexAt(old.Global, x.Name); at >= 0 && exceeds(x.Warm,
			old.Global[at].Warm.Max(engine.BaselineWarmThroughput(def.BillingMode, x.Throughput))) {
			return true
		}
	}
	return false
}
