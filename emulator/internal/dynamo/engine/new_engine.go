package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// NewEngine returns an engine without any account. With conflicts, requests that conflict on an item are refused. seed
// seeds all randomness.
func NewEngine(c EngineConfig, refuseConflicts bool, seed uint64) *Engine {
	s := &Engine{EngineConfig: c, Running: c.Store.NewGate().Ranked(store.Running), Logs: changelog.New(c.Store, c.Clock)}
	if refuseConflicts {
		s.InFlight = newInFlight()
	}
	s.Random.Seed(seed)
	s.Expiry = s.newExpiry()
	return s
}
