package engine

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Plane is a part of the service that follows changes of tables: streams, backups, encryption. The engine knows none of
// them by name.
type Plane interface {
	// NewResident returns the plane's state for a new account; nil if it keeps none.
	NewResident() Resident
	// Change prepares for a change of a table: from is nil for a new table, to is nil for a dropped one. The account's
	// DDL is closed.
	Change(a *Account, from, to *Table) (Steps, error)
	// LoadBefore loads what tables need from the store, before any table is loaded. No operation runs during loading.
	LoadBefore() error
	// Loaded is called with each table that was loaded from the store.
	Loaded(t *Table)
	// LoadAfter loads the rest from the store, after all tables.
	LoadAfter() error
	// RemoveOld removes the account's data that nobody can read any more, and returns when more can be removed; zero if
	// nothing is left to remove. The account's DDL is closed.
	RemoveOld(a *Account) (next time.Time, err error)
	// KeepLogs raises, in periods, the retention periods of those logs of the account that the plane reads.
	KeepLogs(a *Account, periods map[*changelog.Log]time.Duration)
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

// Resident is a plane's state for one account.
type Resident interface {
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

// ResidentOf returns the account's plane state of type T. It panics if no plane has such state.
func ResidentOf[T Resident](a *Account) T {
	for _, r := range a.residents {
		if r, ok := r.(T); ok {
			return r
		}
	}
	panic("no plane keeps that of an account")
}

// NoPlane does nothing. Planes embed it for the methods they do not need.
type NoPlane struct{}

func (NoPlane) NewResident() Resident                               { return nil }
func (NoPlane) Change(*Account, *Table, *Table) (Steps, error)      { return Steps{}, nil }
func (NoPlane) LoadBefore() error                                   { return nil }
func (NoPlane) Loaded(*Table)                                       {}
func (NoPlane) LoadAfter() error                                    { return nil }
func (NoPlane) RemoveOld(*Account) (next time.Time, err error)      { return time.Time{}, nil }
func (NoPlane) KeepLogs(*Account, map[*changelog.Log]time.Duration) {}
func (NoPlane) Stop()                                               {}

// prepareChange makes every plane prepare for a change of a table.
func (a *Account) prepareChange(from, to *Table) (all []Steps, err error) {
	for _, p := range a.Engine.Planes {
		s, err := p.Change(a, from, to)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// writeAll runs the Write of all steps.
func writeAll(all []Steps, tx *store.Tx) error {
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
