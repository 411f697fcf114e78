package simenv

import (
	"context"
	"fmt"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// PushLog is the log of the push gateway's deliveries since the start of a simulation.
type PushLog struct {
	*pushgateway.Client
	offset int64 // number of the last earlier delivery
}

// PushLog connects to the push gateway of the backend: that of this process, or the one at address.
func (e *Environment) PushLog(ctx context.Context, address string) (*PushLog, error) {
	if e.Embedded != nil {
		address = e.Embedded.Backend.PushURL
	}
	client := pushgateway.NewClient(address, sim.HTTPClient(Concurrency))
	before, err := client.Deliveries(ctx, 0)
	if err != nil {
		return nil, fmt.Errorf("the push gateway at %s does not respond: start it with tabletop pushgateway (%w)", address,
			err)
	}
	log := &PushLog{Client: client}
	if len(before) > 0 {
		log.offset = before[len(before)-1].Number
	}
	return log, nil
}

// Delivered returns the notifications delivered since the start.
func (p *PushLog) Delivered(ctx context.Context) ([]pushgateway.Delivery, error) {
	return p.Deliveries(ctx, p.offset)
}
