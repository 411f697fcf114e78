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
			return o.store(tx)
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
