package engine

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Plane is a part of the service that follows changes of tables: streams, backups, encryption. The engine knows none of
// them by name.
type Plane interface {
	// NewState returns the plane's state for a new account; nil if it keeps none.
	NewState() PlaneState
	// PrepareChange prepares a change of a table: from is nil for a new table, to is nil for a dropped one. The
	// account's DDL is closed.
	PrepareChange(a *Account, from, to *Table) (Steps, error)
	// BeforeTablesLoad loads what tables need from the store, before any table is loaded. No operation runs during
	// loading.
	BeforeTablesLoad() error
	// TableLoaded is called with each table that was loaded from the store.
	TableLoaded(t *Table)
	// AfterTablesLoad loads the rest from the store, after all tables.
	AfterTablesLoad() error
	// RemoveExpired removes the account's data that nobody can read any more, and returns when more can be removed;
	// zero if nothing is left to remove. The account's DDL is closed.
	RemoveExpired(a *Account) (next time.Time, err error)
	// ExtendLogRetention raises, in periods, the retention periods of those logs of the account that the plane reads.
	ExtendLogRetention(a *Account, periods map[*changelog.Log]time.Duration)
	// Stop stops the plane's timers.
	Stop()
}

// Steps are what a plane does in the transaction of a change of a table, while it closes the table's gate. Each may be
// nil.
type Steps struct {
	// Write runs before the definition is written, and may change it.
	Write func(tx *store.Tx) error
	// Finish runs after everything is written and before requests see the change. It cannot fail.
	Finish func()
}

// PlaneState is a plane's state for one account.
type PlaneState interface {
	// Empty reports whether there is no state; an account that is entirely empty is forgotten. The account's DDL is
	// closed.
	Empty() bool
}

// PlaneOf returns the engine's plane of type T. It panics if there is none.
func PlaneOf[T Plane](s *Engine) T {
	for _, p := range s.Planes {
		if p, ok := p.(T); ok {
			return p
		}
	}
	panic("the engine has no such plane")
}

// StateOf returns the account's plane state of type T. It panics if no plane has such state.
func StateOf[T PlaneState](a *Account) T {
	for _, r := range a.planeStates {
		if r, ok := r.(T); ok {
			return r
		}
	}
	panic("no plane has account state of this type")
}

// BasePlane does nothing. Planes embed it for the methods that they do not need.
type BasePlane struct{}

func (BasePlane) NewState() PlaneState                                          { return nil }
func (BasePlane) PrepareChange(*Account, *Table, *Table) (Steps, error)         { return Steps{}, nil }
func (BasePlane) BeforeTablesLoad() error                                       { return nil }
func (BasePlane) TableLoaded(*Table)                                            {}
func (BasePlane) AfterTablesLoad() error                                        { return nil }
func (BasePlane) RemoveExpired(*Account) (next time.Time, err error)            { return time.Time{}, nil }
func (BasePlane) ExtendLogRetention(*Account, map[*changelog.Log]time.Duration) {}
func (BasePlane) Stop()                                                         {}

// prepareChange makes every plane prepare for a change of a table.
func (a *Account) prepareChange(from, to *Table) (all []Steps, err error) {
	for _, p := range a.Engine.Planes {
		s, err := p.PrepareChange(a, from, to)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// writeSteps runs the Write of all steps.
func writeSteps(all []Steps, tx *store.Tx) error {
	for _, s := range all {
		if s.Write == nil {
			continue
		}
		if err := s.Write(tx); err != nil {
			return err
		}
	}
	return nil
}

func finishSteps(all []Steps) {
	for _, s := range all {
		if s.Finish != nil {
			s.Finish()
		}
	}
}
