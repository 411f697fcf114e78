package cosmos

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// replaceOffer gives a database or container another throughput. Where that takes more physical partitions than there are,
// they are split at once. A change between manual and autoscale is asked for by a header; then the service chooses the new
// figure: the maximum that the manual one was, and the other way round.
func replaceOffer(c *call) *Error {
	v, err := c.object()
	if err != nil {
		return err
	}
	all := &c.account.catalog
	was := all.offer(c.route.id(0))
	if was == nil {
		return notFound(c.route.id(0))
	}
	if err := c.checkMatch(was.etag); err != nil {
		return err
	}
	wanted, err := c.readWanted(was, v.Field("content"))
	if err != nil {
		return err
	}
	o := *was
	o.Provisioned, o.highest = wanted, max(was.highest, wanted.rate())
	o.etag, o.ts = c.account.random.GUID().ETag(), c.account.now().Unix()
	if problem := all.changing.Close(c.ctx); problem != nil {
		return c.internal(problem)
	}
	defer all.changing.Open()
	if all.offers[o.owner] != was {
		return preconditionFailed()
	}
	if err := c.account.applyOffer(c.ctx, &o); err != nil {
		return c.internal(err)
	}
	c.charge = chargeMetadataWrite
	c.replyOffer(&o)
	return nil
}

// readWanted is what a replace asks for, within the limits.
func (c *call) readWanted(was *offer, content doc.Value) (Provisioned, *Error) {
	if c.flag("X-Ms-Cosmos-Migrate-Offer-To-Autopilot") && was.maximum == 0 {
		return Provisioned{maximum: max(minAutoscale, roundUp(float64(was.manual), autoStep))}, nil
	}
	if c.flag("X-Ms-Cosmos-Migrate-Offer-To-Manual-Throughput") && was.maximum > 0 {
		return Provisioned{manual: was.maximum}, nil
	}
	t, err := throughputOf(content)
	if err != nil {
		return t, err
	}
	if (t.maximum > 0) != (was.maximum > 0) {
		return t, invalidInput("The throughput is changed between manual and autoscale by a migration only.")
	}
	return t, t.check(was.least())
}

// applyOffer puts an offer in force, while the catalogue is being changed: it is stored together with the partitions that it takes.
func (s *state) applyOffer(ctx context.Context, o *offer) error {
	split := map[*container][]*partition{}
	var gates []*store.Gate
	for _, one := range s.catalog.sharing(o) {
		if n := neededPartitions(o.rate()); n > len(one.partitions()) {
			split[one] = splitFor(one, n)
			gates = append(gates, one.gate)
		}
	}
	err := s.store.UpdateContext(ctx, store.Latch(numbered(metaOffer, o.number)).Alone(gates...), func(tx *store.Tx) error {
		for one, parts := range split {
			if err := one.repartition(tx, parts); err != nil {
				return err
			}
		}
		return tx.Set(numbered(metaOffer, o.number), o.record())
	})
	if err != nil {
		return err
	}
	s.catalog.mu.Lock()
	defer s.catalog.mu.Unlock()
	s.catalog.addOffer(o)
	for _, one := range s.catalog.sharing(o) {
		s.catalog.distribute(one)
	}
	return nil
}

func splitFor(one *container, n int) []*partition {
	return split(&one.definition.Load().key, one.partitions(), n)
}

// sharing are the containers that an offer is for: one, or those of a database that have none of their own.
func (c *catalog) sharing(o *offer) []*container {
	var all []*container
	for _, d := range c.databases {
		for _, one := range d.containers {
			if one.rid == o.owner || d.rid == o.owner && c.offers[one.rid] == nil {
				all = append(all, one)
			}
		}
	}
	return all
}

// distribute gives each partition of a container its share of the throughput. The containers of a database that share one spend
// from one budget; a container without any has none, and is not held to one.
func (c *catalog) distribute(one *container) {
	parts := one.partitions()
	if own := c.offers[one.rid]; own != nil {
		for _, p := range parts {
			p.fund(float64(own.rate()) / float64(len(parts)))
		}
		return
	}
	shared := c.offers[one.database.rid]
	if shared == nil {
		return
	}
	if one.database.budget == nil {
		one.database.budget = newRateBudget(0)
	}
	one.database.budget.setRate(float64(shared.rate()))
	for _, p := range parts {
		p.budget.Store(one.database.budget)
	}
}

// fund gives a partition its rate.
func (p *partition) fund(rate float64) {
	if b := p.budget.Load(); b != nil {
		b.setRate(rate)
		return
	}
	p.budget.Store(newRateBudget(rate))
}
