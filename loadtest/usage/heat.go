package usage

import (
	"cmp"
	"context"
	"slices"

	"github.com/tabletop-db/tabletop/internal/model/heatmap"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// unitSum is the load on a partition over all minutes, or on a key in one.
type unitSum struct {
	reads, writes float64
	throttled     int64
}

func (s unitSum) units() float64 { return s.reads + s.writes }

// Load is the load by resource, of its partitions and its keys.
type Load map[string]*resourceLoad

type resourceLoad struct {
	partitions map[uint32]unitSum
	keys       map[keyInMinute]unitSum
	minutes    map[int64]bool // those with load
	last       int64          // the last minute with load
	unlisted   float64        // most units that an unlisted key may have had in the last minute
}

// keyInMinute is a key in a minute, in Unix time: the emulator lists keys anew in each.
type keyInMinute struct {
	minute int64
	key    string
}

// ReadHeat reads the load from an emulator. It returns nil if ask is nil.
func ReadHeat(ctx context.Context, ask func(context.Context) ([]heatmap.Table, error)) (Load, error) {
	if ask == nil {
		return nil, nil
	}
	tables, err := ask(ctx)
	all := Load{}
	for _, t := range tables {
		s := &resourceLoad{partitions: map[uint32]unitSum{}, keys: map[keyInMinute]unitSum{}, minutes: map[int64]bool{}}
		for _, p := range t.Partitions {
			s.partitions[p.ID] = unitSum{}
		}
		for _, m := range t.Minutes {
			s.add(m)
		}
		all[t.Resource] = s
	}
	return all, err
}

func (s *resourceLoad) add(m heatmap.Minute) {
	for _, p := range m.Partitions {
		was := s.partitions[p.ID]
		s.partitions[p.ID] = unitSum{was.reads + p.Read, was.writes + p.Write, was.throttled + int64(p.Throttled)}
	}
	s.last, s.unlisted = m.At.Unix(), 0
	s.minutes[s.last] = true
	for _, k := range m.Keys {
		s.keys[keyInMinute{s.last, k.Key}] = unitSum{k.Read, k.Write, int64(k.Throttled)}
		if len(m.Keys) == listedKeys {
			s.unlisted = k.Read + k.Write // the last one has the fewest units
		}
	}
}

// listedKeys is the maximum number of keys that the emulator lists per minute, hottest first.
const listedKeys = 10

// Since returns the load that was added after before, as if in one second, for the resources that the attack used. It
// returns nil if the emulator, which lists three hours, may no longer list all of it.
func (h Load) Since(before Load) []result.Heat {
	if h.lacksMinutesOf(before) {
		return nil
	}
	list := []result.Heat{}
	for resource, now := range h {
		was := cmp.Or(before[resource], &resourceLoad{})
		one := result.Heat{Resource: resource, Partitions: len(now.partitions)}
		for id, p := range now.partitions {
			d := p.minus(was.partitions[id])
			one.Reads, one.Writes, one.Throttled = one.Reads+d.reads, one.Writes+d.writes, one.Throttled+d.throttled
			one.Utilization = max(one.Utilization, d.reads/result.PartitionReads, d.writes/result.PartitionWrites)
		}
		if one.Reads+one.Writes == 0 { // no traffic, or a Cosmos DB container, which has other units
			continue
		}
		most, ofKeys := 0.0, map[string]float64{}
		for in, k := range now.keys {
			units := k.minus(was.keys[in]).units()
			if _, listed := was.keys[in]; !listed && in.minute == was.last {
				units = max(0, units-was.unlisted)
			}
			if ofKeys[in.key] += units; ofKeys[in.key] > most {
				most, one.HottestKey = ofKeys[in.key], in.key
			}
		}
		one.KeyShare = most / (one.Reads + one.Writes)
		one.KeyUnknown = most == 0 && was.unlisted > 0
		list = append(list, one.Over(1))
	}
	slices.SortFunc(list, func(a, b result.Heat) int { return cmp.Compare(a.Resource, b.Resource) })
	return list
}

// lacksMinutesOf reports whether a minute that was listed before no longer is.
func (h Load) lacksMinutesOf(before Load) bool {
	for resource, now := range h {
		for minute := range cmp.Or(before[resource], &resourceLoad{}).minutes {
			if !now.minutes[minute] {
				return true
			}
		}
	}
	return false
}

func (s unitSum) minus(t unitSum) unitSum {
	return unitSum{s.reads - t.reads, s.writes - t.writes, s.throttled - t.throttled}
}
