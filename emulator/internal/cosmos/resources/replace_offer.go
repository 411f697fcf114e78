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
	rid        string
	content    doc.Value // from the client
	conditions engine.Conditions
	autoscale  bool // migrate to autoscale
	manual     bool // migrate to manual throughput
}

func readOffer(r *operation.Request, _ *engine.Container) (offerInput, *wire.Error) {
	v, err := r.Object()
	return offerInput{rid: r.Route.ID(0), content: v.Field("content"), conditions: r.Conditions(),
		autoscale: r.Flag("X-Ms-Cosmos-Migrate-Offer-To-Autopilot"),
		manual:    r.Flag("X-Ms-Cosmos-Migrate-Offer-To-Manual-Throughput")}, err
}

func runReplaceOffer(r *operation.Run, in offerInput) *wire.Error {
	previous := r.Account.Catalog.Offer(in.rid)
	if previous == nil {
		return wire.NotFound(in.rid)
	}
	if err := in.conditions.CheckMatch(previous.ETag); err != nil {
		return err
	}
	provisioned, err := in.provisioned(previous)
	if err != nil {
		return err
	}
	o, storeErr := r.Account.ReplaceOffer(r.Ctx, previous, provisioned)
	if storeErr != nil {
		return r.Internal(storeErr)
	}
	r.Charge = throughput.ChargeMetadataWrite
	replyOffer(r, o)
	return nil
}

// provisioned returns the throughput that a replace asks for, checked against the limits.
func (in *offerInput) provisioned(previous *engine.Offer) (throughput.Provisioned, *wire.Error) {
	if in.autoscale && previous.Maximum == 0 {
		return throughput.Provisioned{Maximum: max(throughput.MinAutoscale, engine.RoundUp(float64(previous.Manual),
			throughput.AutoscaleStep))}, nil
	}
	if in.manual && previous.Maximum > 0 {
		return throughput.Provisioned{Manual: previous.Maximum}, nil
	}
	t, err := throughput.ParseProvisioned(in.content)
	if err != nil {
		return t, err
	}
	if (t.Maximum > 0) != (previous.Maximum > 0) {
		return t, wire.InvalidInput("Switch between manual and autoscale throughput by a migration.")
	}
	return t, t.Check(previous.MinThroughput())
}
