package venue

import (
	"context"
	"fmt"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Pushes are what the push gateway delivers from the beginning of a simulation on.
type Pushes struct {
	*pushgateway.Client
	before int64 // notifications that it delivered earlier
}

// Pushes reaches the push gateway that the backend sends to: that of this process, or the one at address.
func (v *Venue) Pushes(ctx context.Context, address string) (*Pushes, error) {
	if v.Embedded != nil {
		address = v.Embedded.Backend.PushURL
	}
	client := pushgateway.NewClient(address, sim.HTTPClient(Concurrency))
	before, err := client.Deliveries(ctx, 0)
	if err != nil {
		return nil, fmt.Errorf("the push gateway at %s does not answer: start it by tabletop pushgateway (%w)", address, err)
	}
	return &Pushes{client, int64(len(before))}, nil
}

// Delivered are the notifications that came since.
func (p *Pushes) Delivered(ctx context.Context) ([]pushgateway.Delivery, error) {
	return p.Deliveries(ctx, p.before)
}
