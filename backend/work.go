package backend

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/backend/observe"
	"github.com/tabletop-db/tabletop/internal/pause"
)

// workTimeout is how long a stop waits for rounds of work under way.
const workTimeout = 3 * time.Second

// worker is what a system does beside answering requests: rounds of work, with a pause after each that leaves nothing
// to do.
type worker struct {
	says  string // what it does and how often
	every time.Duration
	round func(context.Context) (more bool, err error)
}

// Workers says what is worked on while the server serves, such as "notifications each second".
func (s *Server) Workers() []string {
	all := make([]string, len(s.workers))
	for i, w := range s.workers {
		all[i] = w.says
	}
	return all
}

// run does rounds until ctx ends. What goes wrong is logged when it begins, and not again at each round.
func (w *worker) run(ctx context.Context, log *slog.Logger) {
	for failing := false; ; {
		more, err := w.round(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			log.Warn("a round of work was cut short, and the next ones go on", slog.String("work", w.says), slog.Any("error", err))
		}
		failing = err != nil
		if ctx.Err() != nil || !more && pause.For(ctx, w.every) != nil {
			return
		}
	}
}

// observed is the worker with its rounds measured and traced, where there is an observer.
func (w *worker) observed(observer *observe.Observer) *worker {
	if observer == nil {
		return w
	}
	return &worker{says: w.says, every: w.every, round: func(ctx context.Context) (bool, error) { return observer.Round(ctx, w.says, w.round) }}
}

// work has the workers work until the function that it returns is called. That waits for the rounds under way, but not
// for long: what a worker leaves behind is taken up again when its claim has ended.
func (s *Server) work(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	for _, w := range s.workers {
		working.Go(func() { w.run(ctx, s.config.Logger) })
	}
	return func() {
		cancel()
		ended := make(chan struct{})
		go func() { working.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(workTimeout):
		}
	}
}
