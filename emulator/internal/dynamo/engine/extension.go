package engine

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// ExtensionOf returns the engine's extension of type T. It panics if there is none.
func ExtensionOf[T Extension](e *Engine) T {
	for _, p := range e.Extensions {
		if p, ok := p.(T); ok {
			return p
		}
	}
	panic("the engine has no such extension")
}

// StateOf returns the account's extension state of type T. It panics if no extension has such state.
func StateOf[T ExtensionState](a *Account) T {
	for _, r := range a.extensionStates {
		if r, ok := r.(T); ok {
			return r
		}
	}
	panic("no extension has account state of this type")
}

// BaseExtension does nothing. Extensions embed it for the methods that they do not need.
type BaseExtension struct{}

func (BaseExtension) NewState() ExtensionState                                      { return nil }
func (BaseExtension) PrepareChange(*Account, *Table, *Table) (Writes, error)        { return nil, nil }
func (BaseExtension) BeforeTablesLoad() error                                       { return nil }
func (BaseExtension) TableLoaded(*Table)                                            {}
func (BaseExtension) AfterTablesLoad() error                                        { return nil }
func (BaseExtension) RemoveExpired(*Account) (next time.Time, err error)            { return time.Time{}, nil }
func (BaseExtension) ExtendLogRetention(*Account, map[*changelog.Log]time.Duration) {}
func (BaseExtension) Stop()                                                         {}

// prepareChange makes every extension prepare for a change of a table.
func (a *Account) prepareChange(from, to *Table) (all []Writes, err error) {
	for _, p := range a.Engine.Extensions {
		w, err := p.PrepareChange(a, from, to)
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

// writeAll makes the writes of all extensions.
func writeAll(all []Writes, tx *store.Tx) error {
	for _, w := range all {
		if w == nil {
			continue
		}
		if err := w(tx); err != nil {
			return err
		}
	}
	return nil
}

// ByARN is the state of an extension for an account whose resources have ARNs, such as streams or backups. Maps are
// replaced as a whole, so that readers take no lock.
type ByARN[T any] struct {
	all      atomic.Pointer[map[string]*T]
	changing sync.Mutex // held by Change
}

// NewByARN returns a ByARN without resources.
func NewByARN[T any]() *ByARN[T] {
	r := new(ByARN[T])
	r.Replace(map[string]*T{})
	return r
}

// All returns the resources by ARN. The map is immutable.
func (r *ByARN[T]) All() map[string]*T { return *r.all.Load() }

// Replace replaces the resources. The map must not change afterwards.
func (r *ByARN[T]) Replace(all map[string]*T) { r.all.Store(&all) }

// Change replaces the resources by a copy that fn changes.
func (r *ByARN[T]) Change(fn func(all map[string]*T)) {
	r.changing.Lock()
	defer r.changing.Unlock()
	all := maps.Clone(r.All())
	fn(all)
	r.Replace(all)
}

func (r *ByARN[T]) Empty() bool { return len(r.All()) == 0 }
