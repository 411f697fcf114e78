package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/internal/model/heatmap"
)

// Heat returns the load on every table and global index in the last three hours, by partition and minute. Tables are
// sorted by name, each before its indexes.
func (s *Engine) Heat() []heatmap.Table {
	if s.Running.Enter(context.Background()) == nil {
		defer s.Running.Leave()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Clock.Now()
	all := []heatmap.Table{}
	add := func(a *Account, stats *Stats, hash KeyAttribute) {
		h := stats.Meter.Heat(now, func(key []byte) string {
			return item.KeyText(key[min(hashLength, len(key)):], hash.Type)
		})
		h.Account = a.Name
		all = append(all, h)
	}
	for _, a := range s.Accounts {
		for _, t := range *a.Tables.Load() {
			add(a, t.Stats, t.Keys.Partition)
			for _, x := range t.Indexes {
				if !x.Local {
					add(a, x.Stats, x.Keys.Partition)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b heatmap.Table) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Account, b.Account))
	})
	return all
}
