package resources

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReplaceOffer changes the throughput of a database or container. If the new throughput needs more physical partitions,
// they are split at once. A header migrates an offer between manual throughput and autoscale. The service then chooses
// the value: the maximum becomes the previous manual throughput, and vice versa.
func ReplaceOffer(c *operation.Call) *wire.Error { return operation.Do(c, readOffer, runReplaceOffer) }

type offerInput struct {
	rid       string
	content   doc.Value // from the client
	want      engine.Conditions
	autoscale bool // migrate to autoscale
	manual    bool // migrate to manual throughput
}

func readOffer(r *operation.Request, _ *engine.Container) (offerInput, *wire.Error) {
	v, err := r.Object()
	return offerInput{rid: r.Route.ID(0), content: v.Field("content"), want: r.Conditions(),
		autoscale: r.Flag("X-Ms-Cosmos-Migrate-Offer-To-Autopilot"),
		manual:    r.Flag("X-Ms-Cosmos-Migrate-Offer-To-Manual-Throughput")}, err
}

func runReplaceOffer(r *operation.Run, in offerInput) *wire.Error {
	was := r.Account.Catalog.Offer(in.rid)
	if was == nil {
		return wire.NotFound(in.rid)
	}
	if err := in.want.CheckMatch(was.ETag); err != nil {
		return err
	}
	wanted, err := in.wanted(was)
	if err != nil {
		return err
	}
	o, problem := r.Account.ReplaceOffer(r.Ctx, was, wanted)
	if problem != nil {
		return r.Internal(problem)
	}
	r.Charge = throughput.ChargeMetadataWrite
	replyOffer(r, o)
	return nil
}

// wanted returns the throughput that a replace asks for, checked against the limits.
func (in *offerInput) wanted(was *engine.Offer) (throughput.Provisioned, *wire.Error) {
	if in.autoscale && was.Maximum == 0 {
		return throughput.Provisioned{Maximum: max(throughput.MinAutoscale, engine.RoundUp(float64(was.Manual), throughput.AutoStep))}, nil
	}
	if in.manual && was.Maximum > 0 {
		return throughput.Provisioned{Manual: was.Maximum}, nil
	}
	t, err := throughput.ParseProvisioned(in.content)
	if err != nil {
		return t, err
	}
	if (t.Maximum > 0) != (was.Maximum > 0) {
		return t, wire.InvalidInput("The throughput is changed between manual and autoscale by a migration only.")
	}
	return t, t.Check(was.Least())
}
