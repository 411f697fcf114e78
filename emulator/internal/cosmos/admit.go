package cosmos

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// admit lets a request on a logical partition begin, or refuses it where its physical partition has spent its throughput.
// What the request costs in the end is spent when it has ended.
func (c *call) admit(e doc.EPK) *Error { return c.admitTo(c.container.partitionOf(e)) }

// admitTo is admit for physical partitions.
func (c *call) admitTo(parts ...*partition) *Error {
	c.spends = parts
	if !c.account.throttling {
		return nil
	}
	now := c.account.now()
	for _, p := range parts {
		if b := p.budget.Load(); b != nil {
			if wait := b.wait(now); wait > 0 {
				p.load.refuse(now)
				c.spends = nil
				return tooManyRequests(wait)
			}
		}
	}
	return nil
}

// spendCharge spends what the request cost on the partitions that it was admitted to, each its share.
func (c *call) spendCharge() {
	now := c.account.now()
	for _, p := range c.spends {
		share := c.charge / float64(len(c.spends))
		normalized := 0.0
		if b := p.budget.Load(); b != nil {
			normalized = b.spend(now, share)
		}
		p.load.note(now, share, normalized)
	}
}
