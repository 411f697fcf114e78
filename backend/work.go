package backend

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/backend/observe"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// workTimeout is how long a stop waits for rounds in progress.
const workTimeout = 3 * time.Second

// worker is a system's background work: rounds, with a pause after each that leaves nothing to do.
type worker struct {
	name     string // of its metrics and log lines
	every    string // the interval in words, such as "minute"
	interval time.Duration
	round    func(context.Context) (more bool, err error)
}

// Workers returns descriptions of the workers that run while the server serves, such as "notifications every second".
func (s *Server) Workers() []string {
	all := make([]string, len(s.workers))
	for i, w := range s.workers {
		all[i] = w.name + " every " + w.every
	}
	return all
}

// run runs rounds until ctx ends. It logs a failure when it starts, not in each round.
func (w *worker) run(ctx context.Context, log *slog.Logger) {
	for failing := false; ; {
		more, err := w.round(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			log.Warn("background work failed; it is retried in the next round", slog.String("work", w.name),
				slog.Any("error", err))
		}
		failing = err != nil
		if ctx.Err() != nil || !more && pause.For(ctx, w.interval) != nil {
			return
		}
	}
}

// observed returns the worker with its rounds measured and traced, if there is an observer.
func (w *worker) observed(observer *observe.Observer) *worker {
	if observer == nil {
		return w
	}
	return &worker{name: w.name, every: w.every, interval: w.interval, round: func(ctx context.Context) (bool, error) {
		return observer.Round(ctx, w.name, w.round)
	}}
}

// startWorkers runs the workers until the returned function is called, which waits for the rounds in progress, but not
// for long: work that a worker abandons is processed again when its claim has ended.
func (s *Server) startWorkers(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, w := range s.workers {
		running.Go(func() { w.run(ctx, s.config.Logger) })
	}
	return func() {
		cancel()
		ended := make(chan struct{})
		go func() { running.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(workTimeout):
		}
	}
}
