package engine

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// PlaneOf returns the engine's plane of type T. It panics if there is none.
func PlaneOf[T Plane](e *Engine) T {
	for _, p := range e.Planes {
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
