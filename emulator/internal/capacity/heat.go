package capacity

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/heatmap"
)

// The limits of the history: minutes, and keys per minute.
const (
	historyMinutes = 180
	historyKeys    = 10
)

// record is the history of one minute.
type record struct {
	minute     int64
	partitions []heatmap.PartitionLoad
	keys       []keyCount
}

// Heat returns the load of the last historyMinutes, including the current minute. name converts the bytes of a
// partition key, which may be truncated, to readable form.
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
			m.Keys = append(m.Keys, heatmap.KeyLoad{Key: name(k.text), Read: k.units[read], Write: k.units[write],
				Throttled: k.throttled})
		}
		h.Minutes = append(h.Minutes, m)
	}
	return h
}

// record adds the ending minute to the history, if it had any traffic.
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

// current returns the record of the current minute.
func (r *Resource) current() record {
	rec := record{minute: r.minute}
	for _, p := range r.partitions {
		if p.units != [2]float64{} || p.throttled != 0 {
			rec.partitions = append(rec.partitions, heatmap.PartitionLoad{ID: p.id, Read: p.units[read], Write: p.units[write],
				Throttled: p.throttled})
		}
	}
	if rec.partitions != nil && r.keys != nil {
		rec.keys = r.keys.top()
	}
	return rec
}

// top returns the hottest keys.
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

// heat returns the value by which keys are ranked: their share of the maximum of a partition.
func (k *keyCount) heat() float64 {
	return k.units[read]/partitionReads + k.units[write]/partitionWrites + float64(k.throttled)/partitionWrites
}
