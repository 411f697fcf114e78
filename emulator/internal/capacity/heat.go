package capacity

import (
	"bytes"
	"cmp"
	"slices"
	"time"
)

// The bounds of what is remembered: minutes, and keys of each.
const (
	historyMinutes = 180
	historyKeys    = 10
)

// Heat is the load on a table or an index, by partition and time, and the keys that made most of it.
type Heat struct {
	Resource   string      `json:"resource"` // the table's name, or table/index
	Partitions []Partition `json:"partitions"`
	// Minutes are those of the last three hours in which something was asked, the oldest first.
	Minutes []Minute `json:"minutes"`
}

// Minute is the load of one minute.
type Minute struct {
	At         time.Time       `json:"at"`
	Partitions []PartitionLoad `json:"partitions"` // that were asked, in the order of their ranges
	Keys       []KeyLoad       `json:"keys"`       // the hottest first, ten at most
}

// PartitionLoad is what a partition did in a minute.
type PartitionLoad struct {
	ID uint32 `json:"id"`
	Units
	Throttled uint32 `json:"throttled,omitempty"` // requests that were refused
}

// KeyLoad is what a partition key did in a minute: at least that, for it may have been forgotten on the way.
type KeyLoad struct {
	Key string `json:"key"`
	Units
	Throttled uint32 `json:"throttled,omitempty"`
}

// record is a minute as it is kept.
type record struct {
	minute     int64
	partitions []PartitionLoad
	keys       []keyCount
}

// Heat is the load of the last hours, the minute under way included. name writes a partition key's bytes, of which there
// may be only the first, as a person reads it.
func (r *Resource) Heat(now time.Time, name func(key []byte) string) Heat {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.roll(now.UnixNano())
	h := Heat{Resource: r.config.Name, Partitions: r.list(), Minutes: []Minute{}}
	records := r.history
	if current := r.current(); current.partitions != nil {
		records = append(slices.Clip(records), current)
	}
	for _, rec := range records {
		if r.minute-rec.minute >= historyMinutes {
			continue
		}
		m := Minute{At: time.Unix(0, rec.minute*minute).UTC(), Partitions: rec.partitions, Keys: []KeyLoad{}}
		for _, k := range rec.keys {
			m.Keys = append(m.Keys, KeyLoad{name(k.text), Units{k.units[read], k.units[write]}, k.throttled})
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
	r.keys.n = 0
}

// current is the minute under way.
func (r *Resource) current() record {
	rec := record{minute: r.minute}
	for _, p := range r.partitions {
		if p.units != [2]float64{} || p.throttled != 0 {
			rec.partitions = append(rec.partitions, PartitionLoad{p.id, Units{p.units[read], p.units[write]}, p.throttled})
		}
	}
	if rec.partitions != nil && r.keys != nil {
		rec.keys = r.keys.top()
	}
	return rec
}

// top are the hottest keys.
func (s *sketch) top() []keyCount {
	all := slices.Clone(s.counts[:s.n])
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
