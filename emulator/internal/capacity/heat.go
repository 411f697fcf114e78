package capacity

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/internal/heatmap"
)

// The bounds of what is remembered: minutes, and keys of each.
const (
	historyMinutes = 180
	historyKeys    = 10
)

// record is a minute as it is kept.
type record struct {
	minute     int64
	partitions []heatmap.PartitionLoad
	keys       []keyCount
}

// Heat is the load of the last hours, the minute under way included. name writes a partition key's bytes, of which
// there may be only the first, as a person reads it.
func (r *Resource) Heat(now time.Time, name func(key []byte) string) heatmap.Table {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.roll(now.UnixNano())
	h := heatmap.Table{Resource: r.config.Name, Partitions: r.list(), Minutes: []heatmap.Minute{}}
	records := r.history
	if current := r.current(); current.partitions != nil {
		records = append(slices.Clip(records), current)
	}
	for _, rec := range records {
		if r.minute-rec.minute >= historyMinutes {
			continue
		}
		m := heatmap.Minute{At: time.Unix(0, rec.minute*minute).UTC(), Partitions: rec.partitions, Keys: []heatmap.KeyLoad{}}
		for _, k := range rec.keys {
			m.Keys = append(m.Keys, heatmap.KeyLoad{Key: name(k.text), Read: k.units[read], Write: k.units[write], Throttled: k.throttled})
		}
		h.Minutes = append(h.Minutes, m)
	}
	return h
}

// record puts the minute that ends into the history, if anything was asked in it.
func (r *Resource) record() {
	current := r.current()
	if current.partitions == nil {
		return
	}
	if len(r.history) == historyMinutes {
		r.history = slices.Delete(r.history, 0, 1)
	}
	r.history = append(r.history, current)
	r.keys.clear()
}

// current is the minute under way.
func (r *Resource) current() record {
	rec := record{minute: r.minute}
	for _, p := range r.partitions {
		if p.units != [2]float64{} || p.throttled != 0 {
			rec.partitions = append(rec.partitions, heatmap.PartitionLoad{ID: p.id, Read: p.units[read], Write: p.units[write], Throttled: p.throttled})
		}
	}
	if rec.partitions != nil && r.keys != nil {
		rec.keys = r.keys.top()
	}
	return rec
}

// top are the hottest keys.
func (s *sketch) top() []keyCount {
	var all []keyCount
	for i, id := range s.ids {
		if id != 0 {
			all = append(all, s.counts[i])
		}
	}
	slices.SortStableFunc(all, func(a, b keyCount) int {
		return cmp.Or(cmp.Compare(b.heat(), a.heat()), bytes.Compare(a.text, b.text))
	})
	all = slices.Clone(all[:min(len(all), historyKeys)])
	for i := range all {
		all[i].text = bytes.Clone(all[i].text)
	}
	return all
}

// heat is what a key is ordered by: its share of what partitions can do.
func (k *keyCount) heat() float64 {
	return k.units[read]/partitionReads + k.units[write]/partitionWrites + float64(k.throttled)/partitionWrites
}
