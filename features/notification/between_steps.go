package notification

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	schema "github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
)

// between registers the steps that do something between the read and the write of a worker or a request, which gives
// races a deterministic outcome.
func (w *world) between(sc *godog.ScenarioContext) {
	sc.Step(`^before the (next|next but one) (Create|Upsert|Replace|Patch|Delete|Batch|Query|Read|ChangeFeed) of "([^"]*)", (.+)$`,
		w.interrupt)
	sc.Step(`^another worker runs$`, w.otherWorkerRuns)
	sc.Step(`^a worker dies before its next (Create|Replace|Batch|Query) of "([^"]*)"$`, w.diesBefore)
	sc.Step(`^(\d+) workers die before their next (Create|Replace|Batch|Query) of "([^"]*)", (\d+) minutes apart$`,
		w.dieBefore)
	sc.Step(`^Cosmos DB does not respond to the next (\d+) (Create|Replace|Batch|Query|Delete) requests of "([^"]*)"$`,
		func(n int, operation, container string) {
			for range n {
				w.Cosmos.Before(isOperation(operation, container), func() error { return errAway })
			}
		})
	sc.Step(`^a worker dies after pushing$`, w.diesPushing)
	sc.Step(`^another change feed worker runs$`, w.otherFeedWorkerRuns)
	sc.After(func(ctx context.Context, _ *godog.Scenario, err error) (context.Context, error) {
		return ctx, w.interrupted(err)
	})
}

// interrupted returns an error if something that was to happen in between failed.
func (w *world) interrupted(failed error) error {
	if failed != nil {
		return nil
	}
	return errors.Join(w.failures...)
}

// betweenStep is something that may happen in between.
type betweenStep struct {
	pattern *regexp.Regexp
	do      func(ctx context.Context, said []string) error
}

func (w *world) betweenSteps() []betweenStep {
	as := func(method, path string) func(context.Context, []string) error {
		return func(ctx context.Context, groups []string) error {
			return w.MustSendAs(ctx, groups[1], method, path+groups[2], map[string]string{"pushToken": "seen-again"})
		}
	}
	return []betweenStep{
		{regexp.MustCompile(`^another worker runs$`), func(ctx context.Context, _ []string) error {
			return w.otherWorkerRuns(ctx)
		}},
		{regexp.MustCompile(`^another change feed worker runs$`), func(ctx context.Context, _ []string) error {
			return w.otherFeedWorkerRuns(ctx)
		}},
		{regexp.MustCompile(`^"([^"]*)" registers the device "([^"]*)"$`), func(ctx context.Context, groups []string) error {
			return w.MustSendAs(ctx, groups[1], http.MethodPost, "/devices", deviceBody(groups[2]))
		}},
		{regexp.MustCompile(`^"([^"]*)" refreshes the device "([^"]*)"$`), as(http.MethodPut, "/devices/")},
		{regexp.MustCompile(`^"([^"]*)" revokes the device "([^"]*)"$`), func(ctx context.Context, groups []string) error {
			return w.MustSendAs(ctx, groups[1], http.MethodDelete, "/devices/"+groups[2], nil)
		}},
		{regexp.MustCompile(`^"([^"]*)" is deleted$`), func(ctx context.Context, groups []string) error {
			w.operator(ctx, http.MethodDelete, "/users/"+groups[1], nil)
			return w.Last.Succeeded()
		}},
		{regexp.MustCompile(`^"([^"]*)" likes a post of "([^"]*)"$`), func(ctx context.Context, groups []string) error {
			return w.likes(ctx, groups[1], groups[2], "")
		}},
		{regexp.MustCompile(
			`^an older like of a post of "([^"]*)" with the deduplication key "([^"]*)" arrives, and another worker runs$`),
			func(ctx context.Context, groups []string) error {
				return errors.Join(w.likesLate(ctx, groups[1], groups[2]), w.otherWorkerRuns(ctx))
			}},
		{regexp.MustCompile(`^the document (\{.*\}) is stored in "([^"]*)"$`),
			func(ctx context.Context, groups []string) error {
				return w.storeDocument(ctx, groups[1], groups[2])
			}},
		{regexp.MustCompile(`^(\d+) seconds pass$`), func(_ context.Context, groups []string) error {
			return w.AdvanceClock(steps.DurationOf(steps.Count(groups[1]), "second"))
		}},
		{regexp.MustCompile(`^(\d+) minutes pass and another worker runs$`),
			func(ctx context.Context, groups []string) error {
				return errors.Join(w.AdvanceClock(steps.DurationOf(steps.Count(groups[1]), "minute")), w.otherWorkerRuns(ctx))
			}},
	}
}

// interrupt does something before a request is sent. The requests it makes are not interrupted themselves.
func (w *world) interrupt(ctx context.Context, which, operation, container, words string) error {
	for _, one := range w.betweenSteps() {
		match := one.pattern.FindStringSubmatch(words)
		if match == nil {
			continue
		}
		do := func() error {
			err := one.do(context.WithoutCancel(ctx), match)
			if err != nil {
				w.failures = append(w.failures, fmt.Errorf("%s: %w", words, err))
			}
			return nil
		}
		if which == "next but one" {
			w.Cosmos.Before(isOperation(operation, container), func() error { return nil })
		}
		w.Cosmos.Before(isOperation(operation, container), do)
		return nil
	}
	return fmt.Errorf("unknown step %q", words)
}

// isOperation returns a function that matches a request.
func isOperation(operation, container string) func(wire.CosmosCall) bool {
	return func(c wire.CosmosCall) bool { return c.Operation == operation && c.Container == container }
}

// otherWorkerRuns runs one round of a worker with its own service.
func (w *world) otherWorkerRuns(ctx context.Context) error {
	service, err := backend.NewNotification(w.config())
	if err != nil {
		return err
	}
	_, err = service.Work(ctx)
	return err
}

// otherFeedWorkerRuns runs one round of a change feed follower with its own service. Every call uses the same follower.
func (w *world) otherFeedWorkerRuns(ctx context.Context) error {
	if w.follower == nil {
		service, err := backend.NewNotification(w.config())
		if err != nil {
			return err
		}
		w.follower = schema.NewFollower(service)
	}
	_, err := w.follower.Round(ctx)
	return err
}

// errDied is the error of every request of a dead worker.
var errDied = errors.New("the worker is dead")

// mortal is a policy of a worker's client that sends nothing once the worker is dead.
type mortal struct{ dead *atomic.Bool }

// Do implements policy.Policy.
func (m mortal) Do(req *policy.Request) (*http.Response, error) {
	if m.dead.Load() {
		return nil, errDied
	}
	return req.Next()
}

// mortalWorker returns a service that can die. A dead one sends nothing more.
func (w *world) mortalWorker(dead *atomic.Bool, sender push.Sender) (*schema.Service, error) {
	cfg := w.config()
	var err error
	if cfg.Cosmos, err = w.CosmosSDK(azcosmos.ClientOptions{ClientOptions: policy.ClientOptions{
		PerCallPolicies: []policy.Policy{mortal{dead}}}}); err != nil {
		return nil, err
	}
	cfg.Senders = map[schema.Platform]push.Sender{schema.FCM: sender}
	cfg.Wait = func(context.Context, time.Duration) error { return errDied }
	return backend.NewNotification(cfg)
}

func (w *world) diesBefore(ctx context.Context, operation, container string) error {
	var dead atomic.Bool
	service, err := w.mortalWorker(&dead, w.sender())
	if err != nil {
		return err
	}
	w.Cosmos.Before(isOperation(operation, container), func() error {
		dead.Store(true)
		return errDied
	})
	_, err = service.Work(ctx)
	return err
}

// dieBefore makes n workers die, one after the other, with time passing after each.
func (w *world) dieBefore(ctx context.Context, n int, operation, container string, minutes int) error {
	for range n {
		if err := errors.Join(w.diesBefore(ctx, operation, container),
			w.AdvanceClock(steps.DurationOf(minutes, "minute"))); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) diesPushing(ctx context.Context) error {
	var dead atomic.Bool
	service, err := w.mortalWorker(&dead, deadly{w.sender(), &dead})
	if err != nil {
		return err
	}
	if _, err = service.Work(ctx); err == nil && !dead.Load() {
		err = errors.New("it pushed nothing")
	}
	return err
}

// deadly is a sender that makes the worker die after sending.
type deadly struct {
	push.Sender
	dead *atomic.Bool
}

// Send implements push.Sender.
func (d deadly) Send(ctx context.Context, messages []push.Message) ([]push.Result, error) {
	defer d.dead.Store(true)
	return d.Sender.Send(ctx, messages)
}
