package venue

import (
	"context"
	"fmt"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Pushes are the push gateway's deliveries since the start of a simulation.
type Pushes struct {
	*pushgateway.Client
	before int64 // number of earlier deliveries
}

// Pushes connects to the push gateway of the backend: that of this process, or the one at address.
func (v *Venue) Pushes(ctx context.Context, address string) (*Pushes, error) {
	if v.Embedded != nil {
		address = v.Embedded.Backend.PushURL
	}
	client := pushgateway.NewClient(address, sim.HTTPClient(Concurrency))
	before, err := client.Deliveries(ctx, 0)
	if err != nil {
		return nil, fmt.Errorf("the push gateway at %s does not respond: start it with tabletop pushgateway (%w)", address,
			err)
	}
	return &Pushes{client, int64(len(before))}, nil
}

// Delivered returns the notifications delivered since the start.
func (p *Pushes) Delivered(ctx context.Context) ([]pushgateway.Delivery, error) {
	return p.Deliveries(ctx, p.before)
}
