package loadtest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/heatmap"
)

// Heat is how the load of the attack fell on the partitions of a table or an index, as the emulator saw it.
type Heat struct {
	Resource        string  `json:"resource"`
	Partitions      int     `json:"partitions"`
	Reads           float64 `json:"read_units"`
	Writes          float64 `json:"write_units"`
	ReadsPerSecond  float64 `json:"read_units_per_second"`
	WritesPerSecond float64 `json:"write_units_per_second"`
	Use             float64 `json:"use"`                   // the busiest partition's of what one can do
	HottestKey      string  `json:"hottest_key,omitempty"` // the partition key with most units
	KeyShare        float64 `json:"hottest_key_share"`     // its share of all units
	Throttled       int64   `json:"throttled,omitempty"`   // requests that were refused
}

// spot is the load on a partition or of a key, over all minutes.
type spot struct {
	reads, writes float64
	throttled     int64
}

func (s spot) units() float64 { return s.reads + s.writes }

// heats is the load by resource: of its partitions and of its keys.
type heats map[string]*spots

type spots struct {
	partitions map[uint32]spot
	keys       map[string]spot
	unlisted   float64 // units that a key of the last minute may have that is not among the hottest
}

// heat asks the emulator; nil where there is none to ask.
func (c Config) heat(ctx context.Context) (heats, error) {
	if c.Heat == nil {
		return nil, nil
	}
	tables, err := c.Heat(ctx)
	all := heats{}
	for _, t := range tables {
		s := &spots{partitions: map[uint32]spot{}, keys: map[string]spot{}}
		for _, p := range t.Partitions {
			s.partitions[p.ID] = spot{}
		}
		for _, m := range t.Minutes {
			s.add(m)
		}
		all[t.Resource] = s
	}
	return all, err
}

func (s *spots) add(m heatmap.Minute) {
	for _, p := range m.Partitions {
		was := s.partitions[p.ID]
		s.partitions[p.ID] = spot{was.reads + p.Read, was.writes + p.Write, was.throttled + int64(p.Throttled)}
	}
	s.unlisted = 0
	for _, k := range m.Keys {
		was := s.keys[k.Key]
		s.keys[k.Key] = spot{was.reads + k.Read, was.writes + k.Write, was.throttled + int64(k.Throttled)}
		if len(m.Keys) == listedKeys {
			s.unlisted = k.Read + k.Write // of the last one
		}
	}
}

// listedKeys is how many keys of a minute the emulator tells at most, the hottest first.
const listedKeys = 10

// since is what was added to the load since before, in so many seconds: of what the attack used.
func (h heats) since(before heats, seconds float64) []Heat {
	list := []Heat{}
	for resource, now := range h {
		was := cmp.Or(before[resource], &spots{})
		one := Heat{Resource: resource, Partitions: len(now.partitions)}
		for id, p := range now.partitions {
			d := p.minus(was.partitions[id])
			one.Reads, one.Writes, one.Throttled = one.Reads+d.reads, one.Writes+d.writes, one.Throttled+d.throttled
			one.Use = max(one.Use, d.reads/partitionReads/seconds, d.writes/partitionWrites/seconds)
		}
		if one.Reads+one.Writes == 0 { // nothing was asked, or it is a container of Cosmos DB, whose units are others
			continue
		}
		most := 0.0
		for key, k := range now.keys {
			units := k.units() - was.unlisted
			if earlier, listed := was.keys[key]; listed {
				units = k.minus(earlier).units()
			}
			if units > most {
				most, one.HottestKey = units, key
			}
		}
		one.KeyShare = most / (one.Reads + one.Writes)
		one.ReadsPerSecond, one.WritesPerSecond = one.Reads/seconds, one.Writes/seconds
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b Heat) int { return cmp.Compare(a.Resource, b.Resource) })
	return list
}

func (s spot) minus(t spot) spot {
	return spot{s.reads - t.reads, s.writes - t.writes, s.throttled - t.throttled}
}

// heatMetrics are those of where the load fell.
func heatMetrics() map[string]metric {
	return map[string]metric{
		"partition_use":   {unit: "of what a partition can do", of: hottest(func(h Heat) float64 { return h.Use }), remark: heatRemark},
		"key_share":       {unit: "of a table's units", of: hottest(Heat.tableKeyShare), remark: keyShareRemark},
		"index_key_share": {unit: "of an index's units", of: hottest(Heat.indexKeyShare), remark: indexKeyRemark},
		"index_key_use":   {unit: "of what a partition can do", of: hottest(Heat.indexKeyUse), remark: indexKeyRemark},
		"throttled":       {unit: "requests", of: hottest(func(h Heat) float64 { return float64(h.Throttled) })},
	}
}

// tableKeyShare is the hottest key's share in a table, and 0 in an index, whose keys may be few by its nature.
func (h Heat) tableKeyShare() float64 {
	if h.isIndex() {
		return 0
	}
	return h.KeyShare
}

func (h Heat) isIndex() bool { return strings.Contains(h.Resource, "/") }

// indexKeyShare is the hottest key's share in an index, and 0 in a table.
func (h Heat) indexKeyShare() float64 {
	if !h.isIndex() {
		return 0
	}
	return h.KeyShare
}

// indexKeyUse is how much of a partition the hottest key of an index uses: never more than the busiest partition does.
func (h Heat) indexKeyUse() float64 {
	return min(h.Use, h.indexKeyShare()*max(h.WritesPerSecond/partitionWrites, h.ReadsPerSecond/partitionReads))
}

func hottest(f func(Heat) float64) func(*Report) (float64, bool) {
	return func(r *Report) (most float64, measured bool) {
		for _, h := range r.Heat {
			most, measured = max(most, f(h)), true
		}
		return most, measured
	}
}

// AboutHeat reports whether a limit is about where the load falls.
func (r *Report) AboutHeat() bool {
	about := heatMetrics()
	return slices.ContainsFunc(r.Profile.Limits, func(l Limit) bool { _, is := about[l.Metric]; return is })
}

// heatRemark tells of the busiest partition, and how much busier it could be.
func heatRemark(r *Report) string {
	if len(r.Heat) == 0 {
		return ""
	}
	h := slices.MaxFunc(r.Heat, func(a, b Heat) int { return cmp.Compare(a.Use, b.Use) })
	return fmt.Sprintf("%s, of %d partitions: headroom %.0fx", h.Resource, h.Partitions, 1/max(h.Use, 1e-6))
}

// indexKeyRemark names the hottest key of the indexes, by its share.
func indexKeyRemark(r *Report) string {
	if len(r.Heat) == 0 {
		return ""
	}
	h := slices.MaxFunc(r.Heat, func(a, b Heat) int { return cmp.Compare(a.indexKeyShare(), b.indexKeyShare()) })
	return fmt.Sprintf("%s: its hottest key is %s, with %.0f%% of %.1f write units/s", h.Resource, h.HottestKey, 100*h.KeyShare, h.WritesPerSecond)
}

func keyShareRemark(r *Report) string {
	if len(r.Heat) == 0 {
		return ""
	}
	h := slices.MaxFunc(r.Heat, func(a, b Heat) int { return cmp.Compare(a.tableKeyShare(), b.tableKeyShare()) })
	return fmt.Sprintf("%s: its hottest key is %s", h.Resource, h.HottestKey)
}
