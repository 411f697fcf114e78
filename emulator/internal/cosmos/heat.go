package cosmos

import (
	"slices"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	"github.com/tabletop-db/tabletop/internal/heatmap"
)

// Heat is the load on the physical partitions of every container, by minute, of the last three hours.
func (s *state) Heat() []heatmap.Table {
	var all []heatmap.Table
	for _, d := range s.catalog.all() {
		for _, c := range s.catalog.containersOf(d) {
			all = append(all, c.heat())
		}
	}
	return all
}

// heat is the load on the container.
func (c *container) heat() heatmap.Table {
	h := heatmap.Table{Resource: c.database.name + "/" + c.name, Partitions: []heatmap.Partition{}, Minutes: []heatmap.Minute{}}
	created := time.Unix(c.definition.Load().ts, 0).UTC()
	byMinute := map[int64]*heatmap.Minute{}
	for _, p := range c.partitions() {
		one := heatmap.Partition{ID: p.number(), Lo: p.Low, Hi: p.High, Created: created, Bytes: p.bytes.Load()}
		if n := len(p.parents); n > 0 {
			one.Parent = numberOf(p.parents[n-1])
		}
		h.Partitions = append(h.Partitions, one)
		for _, m := range p.load.all() {
			at := byMinute[m.at]
			if at == nil {
				at = &heatmap.Minute{At: time.Unix(m.at, 0).UTC(), Keys: []heatmap.KeyLoad{}}
				byMinute[m.at] = at
			}
			at.Partitions = append(at.Partitions, heatmap.PartitionLoad{ID: one.ID, Units: m.units, Normalized: m.normalized, Throttled: uint32(m.throttled)})
		}
	}
	for _, m := range byMinute {
		h.Minutes = append(h.Minutes, *m)
	}
	slices.SortFunc(h.Minutes, func(a, b heatmap.Minute) int { return a.At.Compare(b.At) })
	return h
}

// number is the range's id as a number.
func (k keyRange) number() uint32 { return numberOf(k.id) }

func numberOf(id string) uint32 {
	n, _ := strconv.ParseUint(id, 10, 32) // ids of ranges are numbers
	return uint32(n)
}

// Has reports whether there is a database of a name and, unless its name is empty, a container in it.
func (s *state) Has(database, container string) bool {
	if container == "" {
		return s.catalog.database(database) != nil
	}
	return s.catalog.container(database, container) != nil
}

// Throughputs are those of all containers.
func (s *state) Throughputs() []telemetry.Throughput {
	var all []telemetry.Throughput
	now := s.now()
	for _, d := range s.catalog.all() {
		for _, c := range s.catalog.containersOf(d) {
			all = append(all, s.throughputOf(c, now))
		}
	}
	return all
}

func (s *state) throughputOf(c *container, now time.Time) telemetry.Throughput {
	parts := c.partitions()
	t := telemetry.Throughput{Database: c.database.name, Container: c.name, Partitions: len(parts)}
	for _, p := range parts {
		t.Items += p.items.Load()
		t.Bytes += p.bytes.Load()
		if all := p.load.all(); len(all) > 0 && all[len(all)-1].at >= now.Unix()/60*60-60 {
			t.Normalized = max(t.Normalized, all[len(all)-1].normalized)
		}
	}
	own := s.catalog.offerOf(c.rid)
	if own == nil {
		own = s.catalog.offerOf(c.database.rid)
	}
	if own == nil {
		return t
	}
	t.Provisioned = float64(own.rate())
	if own.maximum > 0 {
		t.Autoscaled = own.billed(t.Normalized * t.Provisioned)
	}
	return t
}
