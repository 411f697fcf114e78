package dynamo

import (
	"cmp"
	"context"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/internal/heatmap"
)

// Heat is the load on every table and global index, by partition and minute, of the last three hours: the tables in the
// order of their names, each before its indexes.
func (s *Service) Heat() []heatmap.Table {
	if s.running.Enter(context.Background()) == nil {
		defer s.running.Leave()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	all := []heatmap.Table{}
	add := func(a *account, of *stats, hash keyAttribute) {
		h := of.meter.Heat(now, func(key []byte) string { return item.KeyText(key[min(hashLength, len(key)):], hash.typ) })
		h.Account = a.name
		all = append(all, h)
	}
	for _, a := range s.accounts {
		for _, t := range *a.tables.Load() {
			add(a, t.stats, t.keys.hash)
			for _, x := range t.indexes {
				if !x.local {
					add(a, x.stats, x.keys.hash)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b heatmap.Table) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Account, b.Account))
	})
	return all
}
