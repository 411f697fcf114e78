package engine

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Plane is a part of the service beside the data plane, which follows what becomes of tables: their streams, their
// backups, their keys. The engine knows none of them by name.
type Plane interface {
	// NewResident makes what the plane keeps of an account; nil for nothing.
	NewResident() Resident
	// Change prepares for a change of a table: from is nil for a new one, to for one that is dropped. The account's DDL
	// is closed.
	Change(a *Account, from, to *Table) (Steps, error)
	// LoadBefore takes from the store what tables need, before any is loaded. No operation runs while tables are
	// loaded.
	LoadBefore() error
	// Loaded is called with each table that was taken from the store.
	Loaded(t *Table)
	// LoadAfter takes the rest from the store.
	LoadAfter() error
	// RemoveOld removes what nobody can read any more of an account, and gives when more may go; zero where nothing is
	// left to. The account's DDL is closed.
	RemoveOld(a *Account) (next time.Time, err error)
	// KeepLogs says for how long the logs of an account's tables are read: it raises the periods of those that it
	// reads.
	KeepLogs(a *Account, periods map[*changelog.Log]time.Duration)
	// Stop stops the timers.
	Stop()
}

// Steps are what a plane does within the transaction of a change of a table, alone in the table's gate. Each may be
// nil.
type Steps struct {
	// Write comes before the definition is written, and may add to it.
	Write func(tx *store.Tx) error
	// Finish comes when all is written, before requests see the change. It cannot fail.
	Finish func()
}

// Resident is what a plane keeps of an account.
type Resident interface {
	// Empty reports whether there is nothing; an account with nothing at all is forgotten. The account's DDL is closed.
	Empty() bool
}

// PlaneOf is the engine's plane of a type. It panics where there is none.
func PlaneOf[T Plane](s *Engine) T {
	for _, p := range s.Planes {
		if p, ok := p.(T); ok {
			return p
		}
	}
	panic("the engine has no such plane")
}

// ResidentOf is what the plane that has residents of that type keeps of an account. It panics where there is no such
// plane.
func ResidentOf[T Resident](a *Account) T {
	for _, r := range a.residents {
		if r, ok := r.(T); ok {
			return r
		}
	}
	panic("no plane keeps that of an account")
}

// NoPlane does nothing: planes embed it for what they have no part in.
type NoPlane struct{}

func (NoPlane) NewResident() Resident                               { return nil }
func (NoPlane) Change(*Account, *Table, *Table) (Steps, error)      { return Steps{}, nil }
func (NoPlane) LoadBefore() error                                   { return nil }
func (NoPlane) Loaded(*Table)                                       {}
func (NoPlane) LoadAfter() error                                    { return nil }
func (NoPlane) RemoveOld(*Account) (next time.Time, err error)      { return time.Time{}, nil }
func (NoPlane) KeepLogs(*Account, map[*changelog.Log]time.Duration) {}
func (NoPlane) Stop()                                               {}

// prepareChange has every plane prepare for a change of a table.
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

// writeAll does the first part of all steps, and finishSteps the last.
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
