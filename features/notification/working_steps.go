package notification

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/features/httpapi"
)

// errAway is the error of a push service that does not respond.
var errAway = errors.New("the push service is away")

func (w *world) workerSteps(sc *godog.ScenarioContext) {
	sc.Step(`^a worker runs$`, func(ctx context.Context) error { return w.work(ctx, "") })
	sc.Step(`^a change feed worker runs$`, func(ctx context.Context) error { return w.work(ctx, "?by=feed") })
	sc.Step(`^(\d+) workers run at once$`, w.workersRun)
	sc.Step(`^a worker runs every minute for (\d+) minutes$`, w.worksFor)
	sc.Step(`^the worker (claimed|completed|failed|deduplicated|found|found nothing)(?: (\d+))?$`, w.workerDid)
	sc.Step(`^pushes were attempted after ([\d, ]+) minutes$`, w.pushedAfter)
	sc.Step(`^the push service is unavailable$`, func() { w.away.Store(true) })
	sc.Step(`^the push service is available again$`, func() { w.away.Store(false) })
}

func (w *world) work(ctx context.Context, how string) error {
	w.operator(ctx, http.MethodPost, "/work"+how, nil)
	return w.Last.Succeeded()
}

// workersRun runs one round of n workers in parallel, each with its own service.
func (w *world) workersRun(ctx context.Context, n int) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		service, err := backend.NewNotification(w.config())
		if err != nil {
			return err
		}
		all.Go(func() { _, errs[i] = service.Work(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}

func (w *world) worksFor(ctx context.Context, minutes int) error {
	for range minutes {
		if err := errors.Join(w.work(ctx, ""), w.AdvanceClock(time.Minute)); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) workerDid(what, count string) error {
	round, err := httpapi.Decode[map[string]any](w.Last)
	if err != nil {
		return err
	}
	n := 0
	if what == "found nothing" {
		what = "found"
	} else if n, err = strconv.Atoi(count); err != nil {
		return err
	}
	if round[what] != float64(n) {
		return fmt.Errorf("the round was %v", round)
	}
	return nil
}

// pushedAfter checks at which minutes after the first one pushes were tried.
func (w *world) pushedAfter(want string) error {
	w.tried.mu.Lock()
	defer w.tried.mu.Unlock()
	var got []string
	for _, at := range w.tried.at {
		got = append(got, strconv.FormatFloat(at.Sub(w.tried.at[0]).Minutes(), 'f', -1, 64))
	}
	if text := strings.Join(got, ", "); text != want {
		return fmt.Errorf("they were tried after %s minutes", text)
	}
	return nil
}
