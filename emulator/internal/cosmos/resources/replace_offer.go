package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReplaceOffer gives a database or container another throughput. Where that takes more physical partitions than there are,
// they are split at once. A change between manual and autoscale is asked for by a header; then the service chooses the new
// figure: the maximum that the manual one was, and the other way round.
func ReplaceOffer(c *operation.Call) *wire.Error {
	v, err := c.Object()
	if err != nil {
		return err
	}
	all := &c.Account.Catalog
	was := all.Offer(c.Route.ID(0))
	if was == nil {
		return wire.NotFound(c.Route.ID(0))
	}
	if err := c.CheckMatch(was.ETag); err != nil {
		return err
	}
	wanted, err := readWanted(c, was, v.Field("content"))
	if err != nil {
		return err
	}
	o := *was
	o.Provisioned, o.Highest = wanted, max(was.Highest, wanted.Rate())
	o.ETag, o.Timestamp = c.Account.Random.GUID().ETag(), c.Account.Now().Unix()
	if problem := all.Changing.Close(c.Ctx); problem != nil {
		return c.Internal(problem)
	}
	defer all.Changing.Open()
	if all.Offers[o.Owner] != was {
		return wire.PreconditionFailed()
	}
	if err := c.Account.ApplyOffer(c.Ctx, &o); err != nil {
		return c.Internal(err)
	}
	c.Charge = throughput.ChargeMetadataWrite
	replyOffer(c, &o)
	return nil
}

// readWanted is what a replace asks for, within the limits.
func readWanted(c *operation.Call, was *engine.Offer, content doc.Value) (throughput.Provisioned, *wire.Error) {
	if c.Flag("X-Ms-Cosmos-Migrate-Offer-To-Autopilot") && was.Maximum == 0 {
		return throughput.Provisioned{Maximum: max(throughput.MinAutoscale, engine.RoundUp(float64(was.Manual), throughput.AutoStep))}, nil
	}
	if c.Flag("X-Ms-Cosmos-Migrate-Offer-To-Manual-Throughput") && was.Maximum > 0 {
		return throughput.Provisioned{Manual: was.Maximum}, nil
	}
	t, err := throughput.ParseProvisioned(content)
	if err != nil {
		return t, err
	}
	if (t.Maximum > 0) != (was.Maximum > 0) {
		return t, wire.InvalidInput("The throughput is changed between manual and autoscale by a migration only.")
	}
	return t, t.Check(was.Least())
}
