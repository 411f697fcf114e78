package engine

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// ReplaceOffer changes the throughput of a database or container. If the new throughput needs more physical partitions,
// they are split at once. Errors: PreconditionFailed if the offer changed since it was read.
func (s *State) ReplaceOffer(ctx context.Context, previous *Offer, provisioned throughput.Provisioned) (*Offer, error) {
	o := *previous
	o.Provisioned, o.highestRate = provisioned, max(previous.highestRate, provisioned.Rate())
	o.ETag, o.timestamp = s.Random.GUID().ETag(), s.Now().Unix()
	catalog := &s.Catalog
	if err := catalog.changing.Close(ctx); err != nil {
		return nil, err
	}
	defer catalog.changing.Open()
	if catalog.offers[o.parentRID] != previous {
		return nil, wire.PreconditionFailed()
	}
	return &o, s.applyOffer(ctx, &o)
}

// applyOffer makes an offer effective, while the catalogue is being changed. It stores the offer together with the
// partitions it needs.
func (s *State) applyOffer(ctx context.Context, o *Offer) error {
	splits := map[*Container][]*Partition{}
	var gates []*store.Gate
	for _, container := range s.Catalog.containersWithOffer(o) {
		if n := throughput.NeededPartitions(o.Rate()); n > len(container.Partitions()) {
			splits[container] = SplitFor(container, n)
			gates = append(gates, container.Gate)
		}
	}
	err := s.Store.UpdateContext(ctx, store.Latch(numberedMetaKey(metaOffer, o.number)).Alone(gates...),
		func(tx *store.Tx) error {
			for container, parts := range splits {
				if err := container.Repartition(tx, parts); err != nil {
					return err
				}
			}
			return tx.Set(numberedMetaKey(metaOffer, o.number), o.record())
		})
	if err != nil {
		return err
	}
	s.Catalog.mu.Lock()
	defer s.Catalog.mu.Unlock()
	s.Catalog.addOffer(o)
	for _, container := range s.Catalog.containersWithOffer(o) {
		s.Catalog.distributeThroughput(container)
	}
	return nil
}

// SplitFor returns the container's partitions, split until there are n.
func SplitFor(container *Container, n int) []*Partition {
	return split(&container.Definition.Load().Key, container.Partitions(), n)
}

// containersWithOffer returns the containers that an offer applies to: one container, or those of a database that have
// no offer of their own.
func (c *Catalog) containersWithOffer(o *Offer) []*Container {
	var all []*Container
	for _, d := range c.databases {
		for _, container := range d.containers {
			if container.RID == o.parentRID || d.RID == o.parentRID && c.offers[container.RID] == nil {
				all = append(all, container)
			}
		}
	}
	return all
}

// distributeThroughput gives each partition of a container its share of the throughput. The containers that share a
// database's throughput share one budget. A container without throughput has no budget and is never throttled.
func (c *Catalog) distributeThroughput(container *Container) {
	parts := container.Partitions()
	if offer := c.offers[container.RID]; offer != nil {
		for _, p := range parts {
			p.setRate(float64(offer.Rate()) / float64(len(parts)))
		}
		return
	}
	shared := c.offers[container.Database.RID]
	if shared == nil {
		return
	}
	if container.Database.sharedBudget == nil {
		container.Database.sharedBudget = throughput.NewRateBudget(0)
	}
	container.Database.sharedBudget.SetRate(float64(shared.Rate()))
	for _, p := range parts {
		p.Budget.Store(container.Database.sharedBudget)
	}
}

// setRate sets the rate of a partition's budget, in request units per second.
func (p *Partition) setRate(rate float64) {
	if b := p.Budget.Load(); b != nil {
		b.SetRate(rate)
		return
	}
	p.Budget.Store(throughput.NewRateBudget(rate))
}
