package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

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
	add := func(a *Account, stats *Stats, keys *KeySchema) {
		h := stats.Meter.Heat(now, func(key []byte) string {
			return keys.partitionText(key[min(hashLength, len(key)):])
		})
		h.Account, h.Cloud = a.Name, "dynamodb"
		all = append(all, h)
	}
	for _, a := range s.Accounts {
		for _, t := range *a.Tables.Load() {
			add(a, t.Stats, &t.Keys)
			for _, x := range t.Indexes {
				if !x.Local {
					add(a, x.Stats, &x.Keys)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b heatmap.Table) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Account, b.Account))
	})
	return all
}

// partitionText returns the partition key with which a key begins, for people: its values, separated by commas. The
// key may be cut off.
func (k *KeySchema) partitionText(key []byte) string {
	var texts []string
	for _, a := range k.Hash {
		n := item.KeyLen(key, a.Type)
		texts = append(texts, item.KeyText(key[:n], a.Type))
		key = key[n:]
	}
	return strings.Join(texts, ", ")
}

// PartitionBounds returns the first key of each partition of a table, without the prefix that all its keys share. The
// first one is empty.
func (a *Account) PartitionBounds(t *Table) [][]byte {
	if t == nil || t.Stats.Meter == nil {
		return [][]byte{{}}
	}
	all := t.Stats.Meter.Partitions(a.Engine.Clock.Now())
	bounds := make([][]byte, len(all))
	for i, p := range all {
		bounds[i] = append([]byte{}, p.Lo...)
	}
	return bounds
}
