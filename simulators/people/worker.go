package people

import (
	"context"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// worker processes events at ticks: at each tick at least one worker runs, and often several do. It is a sim.Actor.
type worker struct {
	run        *run
	number     int
	next, last time.Duration
}

// Next returns the next tick, until the simulation is over.
func (w *worker) Next() (time.Duration, bool) { return w.next, w.next <= w.last }

// Act runs a round if it is the worker's turn, and otherwise sometimes.
func (w *worker) Act(ctx context.Context) error {
	at := uint64(w.next / tick)
	w.next += tick
	if at%uint64(w.run.cfg.Workers) != uint64(w.number) && sim.Float64(w.run.cfg.Seed, forWorker,
		uint64(w.number), at) > 0.3 {
		return nil
	}
	return w.run.work(ctx, w.number)
}

// work processes events until there are none.
func (r *run) work(ctx context.Context, number int) error {
	by, label := "query", actionQuery
	if number%2 == 1 {
		by, label = "feed", actionFeed
	}
	for {
		var round notification.WorkResult
		_, err := r.env.Admin().Call(ctx, sim.Call{Method: http.MethodPost, Path: "/notification/work?by=" +
			by, Out: &round})
		if err != nil {
			return err
		}
		r.ledger.CountAction(label)
		for range round.Failed {
			r.ledger.CountAction(actionFail)
		}
		if round.Claimed == 0 {
			return nil
		}
	}
}
