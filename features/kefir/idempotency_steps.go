package kefir

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
)

// creation is a request that creates something, which the app may repeat.
type creation struct {
	user, key, path string
	body            map[string]any
}

func (w *world) idempotencySteps(sc *godog.ScenarioContext) {
	const key = ` with the idempotency key "([^"]*)"$`
	sc.Step(`^"([^"]*)" starts the batch "([^"]*)"`+key, func(ctx context.Context, user, name, key string) error {
		return w.sendCreation(ctx, creation{user, key, "/batches", recipe(name)})
	})
	sc.Step(`^"([^"]*)" starts the batch "([^"]*)" with the idempotency key "([^"]*)", (\d+) times at once$`,
		func(ctx context.Context, user, name, key string, n int) error {
			return w.sendAtOnce(ctx, n, creation{user, key, "/batches", recipe(name)})
		})
	sc.Step(`^"([^"]*)" notes "([^"]*)" on "([^"]*)"`+key, func(ctx context.Context, user, text, batch, key string) error {
		return w.creates(ctx, user, key, batch, "/events", map[string]any{"type": "note", "note": text})
	})
	sc.Step(`^"([^"]*)" sets the reminder "([^"]*)" on "([^"]*)" in (\d+) (minute|hour|day)s?`+key,
		func(ctx context.Context, user, message, batch string, n int, unit, key string) error {
			due := steps.Timestamp(w.Clock.Now().Add(steps.DurationOf(n, unit)))
			return w.creates(ctx, user, key, batch, "/reminders", map[string]any{"message": message, "dueAt": due})
		})
	sc.Step(`^the app sends the same request again$`, func(ctx context.Context) error {
		return w.sendCreation(ctx, w.creation)
	})
	sc.Step(`^another request with the key (is in progress for a moment|stays in progress)$`, func(how string) {
		w.conflicts(how != "stays in progress")
	})
}

// creates sends a request that creates something in a batch.
func (w *world) creates(ctx context.Context, user, key, batch, rest string, body map[string]any) error {
	path, err := w.batchPath(batch)
	if err != nil {
		return err
	}
	return w.sendCreation(ctx, creation{user, key, path + rest, body})
}

func (w *world) sendCreation(ctx context.Context, c creation) error {
	as, err := w.with(c)
	if err == nil {
		w.SendStep(ctx, as, http.MethodPost, c.path, c.body)
	}
	return err
}

func (w *world) sendAtOnce(ctx context.Context, n int, c creation) error {
	as, err := w.with(c)
	w.SendConcurrently(n, func(int) httpapi.Response { return w.Send(ctx, as, http.MethodPost, c.path, c.body) })
	return err
}

// with returns the sender's credential for a creation, with its idempotency key.
func (w *world) with(c creation) (httpapi.Credential, error) {
	w.creation = c
	as, err := w.Credential(c.user)
	return httpapi.Combine(as, httpapi.Header("Idempotency-Key", c.key)), err
}

// conflicts makes the store report that another transaction is using the marker.
func (w *world) conflicts(once bool) {
	var done atomic.Bool
	w.Wire.AddSubstitute(func(operation string, _ any) (any, error, bool) {
		if operation != "TransactWriteItems" || done.Swap(true) && once {
			return nil, nil, false
		}
		err := &types.TransactionCanceledException{Message: aws.String("cancelled by the scenario")}
		err.CancellationReasons = []types.CancellationReason{{Code: aws.String("None")},
			{Code: aws.String("TransactionConflict")}}
		return nil, err, true
	})
}
