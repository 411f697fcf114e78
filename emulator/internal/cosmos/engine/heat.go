package engine

import (
	"slices"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	"github.com/tabletop-db/tabletop/internal/model/heatmap"
)

// Heat returns the load on the physical partitions of every container, by minute, for the last three hours.
func (s *State) Heat() []heatmap.Table {
	var all []heatmap.Table
	for _, d := range s.Catalog.Databases() {
		for _, c := range s.Catalog.Containers(d) {
			all = append(all, c.heat())
		}
	}
	return all
}

// heat returns the load on the container.
func (c *Container) heat() heatmap.Table {
	h := heatmap.Table{Resource: c.Database.Name + "/" + c.Name, Cloud: "cosmos", Partitions: []heatmap.Partition{},
		Minutes: []heatmap.Minute{}}
	created := time.Unix(c.Definition.Load().Timestamp, 0).UTC()
	byMinute := map[int64]*heatmap.Minute{}
	for _, p := range c.Partitions() {
		partition := heatmap.Partition{ID: p.number(), Lo: p.Low, Hi: p.High, Created: created, Bytes: p.Bytes.Load()}
		if n := len(p.Parents); n > 0 {
			partition.Parent = numberOf(p.Parents[n-1])
		}
		h.Partitions = append(h.Partitions, partition)
		for _, m := range p.Load.Minutes() {
			at := byMinute[m.At]
			if at == nil {
				at = &heatmap.Minute{At: time.Unix(m.At, 0).UTC(), Keys: []heatmap.KeyLoad{}}
				byMinute[m.At] = at
			}
			at.Partitions = append(at.Partitions, heatmap.PartitionLoad{ID: partition.ID, Units: m.Units,
				Normalized: m.Normalized,
				Throttled:  uint32(m.Throttled)})
		}
	}
	for _, m := range byMinute {
		h.Minutes = append(h.Minutes, *m)
	}
	slices.SortFunc(h.Minutes, func(a, b heatmap.Minute) int { return a.At.Compare(b.At) })
	return h
}

// number returns the id of the range as a number.
func (k PartitionKeyRange) number() uint32 { return numberOf(k.ID) }

func numberOf(id string) uint32 {
	n, _ := strconv.ParseUint(id, 10, 32) // the ids of ranges are numbers
	return uint32(n)
}

// Exists reports whether a database exists and, unless container is empty, a container in it.
func (s *State) Exists(database, container string) bool {
	if container == "" {
		return s.Catalog.Database(database) != nil
	}
	return s.Catalog.Container(database, container) != nil
}

// Throughputs returns the throughput of all containers.
func (s *State) Throughputs() []telemetry.Throughput {
	var all []telemetry.Throughput
	now := s.Now()
	for _, d := range s.Catalog.Databases() {
		for _, c := range s.Catalog.Containers(d) {
			all = append(all, s.throughputOf(c, now))
		}
	}
	return all
}

func (s *State) throughputOf(c *Container, now time.Time) telemetry.Throughput {
	parts := c.Partitions()
	t := telemetry.Throughput{Database: c.Database.Name, Container: c.Name, Partitions: len(parts)}
	for _, p := range parts {
		t.Items += p.Items.Load()
		t.Bytes += p.Bytes.Load()
		if all := p.Load.Minutes(); len(all) > 0 && all[len(all)-1].At >= now.Unix()/60*60-60 {
			t.Normalized = max(t.Normalized, all[len(all)-1].Normalized)
		}
	}
	own := s.Catalog.ownOffer(c.RID)
	if own == nil {
		own = s.Catalog.ownOffer(c.Database.RID)
	}
	if own == nil {
		return t
	}
	t.Provisioned = float64(own.Rate())
	if own.Maximum > 0 {
		t.Autoscaled = own.Billed(t.Normalized * t.Provisioned)
	}
	return t
}
