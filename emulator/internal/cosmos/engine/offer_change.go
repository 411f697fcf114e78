package engine

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// ReplaceOffer changes the throughput of a database or container. If the new throughput needs more physical partitions,
// they are split at once. Errors: PreconditionFailed if the offer changed since it was read.
func (s *State) ReplaceOffer(ctx context.Context, was *Offer, wanted throughput.Provisioned) (*Offer, error) {
	o := *was
	o.Provisioned, o.highest = wanted, max(was.highest, wanted.Rate())
	o.ETag, o.timestamp = s.Random.GUID().ETag(), s.Now().Unix()
	all := &s.Catalog
	if err := all.changing.Close(ctx); err != nil {
		return nil, err
	}
	defer all.changing.Open()
	if all.offers[o.owner] != was {
		return nil, wire.PreconditionFailed()
	}
	return &o, s.applyOffer(ctx, &o)
}

// applyOffer makes an offer effective, while the catalogue is being changed. It stores the offer together with the
// partitions it needs.
func (s *State) applyOffer(ctx context.Context, o *Offer) error {
	split := map[*Container][]*Partition{}
	var gates []*store.Gate
	for _, one := range s.Catalog.sharing(o) {
		if n := throughput.NeededPartitions(o.Rate()); n > len(one.Partitions()) {
			split[one] = SplitFor(one, n)
			gates = append(gates, one.Gate)
		}
	}
	err := s.Store.UpdateContext(ctx, store.Latch(numbered(metaOffer, o.number)).Alone(gates...), func(tx *store.Tx) error {
		for one, parts := range split {
			if err := one.Repartition(tx, parts); err != nil {
				return err
			}
		}
		return tx.Set(numbered(metaOffer, o.number), o.record())
	})
	if err != nil {
		return err
	}
	s.Catalog.mu.Lock()
	defer s.Catalog.mu.Unlock()
	s.Catalog.addOffer(o)
	for _, one := range s.Catalog.sharing(o) {
		s.Catalog.distribute(one)
	}
	return nil
}

// SplitFor returns the container's partitions, split until there are n.
func SplitFor(one *Container, n int) []*Partition {
	return split(&one.Definition.Load().Key, one.Partitions(), n)
}

// sharing returns the containers that an offer applies to: one container, or those of a database that have no offer of
// their own.
func (c *Catalog) sharing(o *Offer) []*Container {
	var all []*Container
	for _, d := range c.databases {
		for _, one := range d.containers {
			if one.RID == o.owner || d.RID == o.owner && c.offers[one.RID] == nil {
				all = append(all, one)
			}
		}
	}
	return all
}

// distribute gives each partition of a container its share of the throughput. The containers that share a database's
// throughput share one budget. A container without throughput has no budget and is never throttled.
func (c *Catalog) distribute(one *Container) {
	parts := one.Partitions()
	if own := c.offers[one.RID]; own != nil {
		for _, p := range parts {
			p.fund(float64(own.Rate()) / float64(len(parts)))
		}
		return
	}
	shared := c.offers[one.Database.RID]
	if shared == nil {
		return
	}
	if one.Database.budget == nil {
		one.Database.budget = throughput.NewRateBudget(0)
	}
	one.Database.budget.SetRate(float64(shared.Rate()))
	for _, p := range parts {
		p.Budget.Store(one.Database.budget)
	}
}

// fund sets the rate of a partition's budget, in request units per second.
func (p *Partition) fund(rate float64) {
	if b := p.Budget.Load(); b != nil {
		b.SetRate(rate)
		return
	}
	p.Budget.Store(throughput.NewRateBudget(rate))
}
