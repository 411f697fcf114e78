package steps

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

func (w *World) requestSteps() Group {
	return Group{Title: "Requests",
		Intro: "A request is written as in the steps that check recorded requests: `GetItem`, `PutItem`, `UpdateItem`, `DeleteItem`, `Query` or `Scan`. Expressions contain names and values, which are sent as placeholders. The scenario's own requests are not retried and not recorded.",
		Steps: []Step{
			{`^a client sends an? ([A-Z]\w+ of .+)$`, func(ctx context.Context, text string) error {
				return w.sendOnce(ctx, w.Once, text)
			}, `a client sends a Query of index "by-state" of "orders" where "state = 'open'", descending, limit 2`, "Sends the request. A put contains its item: `PutItem of \"orders\" with {\"id\": \"7\"}, only if \"attribute_not_exists(id)\"`. An update returns the new item, a deletion the old one."},
			{`^a client that retries sends an? ([A-Z]\w+ of .+)$`, func(ctx context.Context, text string) error {
				return w.sendOnce(ctx, w.Client, text)
			}, `a client that retries sends an UpdateItem of "orders" where "id = '7'", setting "ADD visits 1"`,
				"Sends it with the SDK's standard retries."},
			{`^a client sends, (\d+) times, an? ([A-Z]\w+ of .+)$`, w.sendTimes,
				`a client sends, 7 times, a GetItem of "orders" where "id = '7'"`,
				"Sends them one after another, whether they succeed or not; see *Races* for steps about their results."},
			{`^an? ([A-Z]\w+ of .+) is started$`, w.startRequest,
				`an UpdateItem of "orders" where "id = '7'", setting "ADD visits 1" is started`,
				"Sends the request without waiting for its response, for a fault that delays it."},
			{`^it waits$`, w.StillWaiting, `it waits`, "A fault delays the request that was started. Needs @needs:commands."},
			{`^it gets a response$`, w.AwaitResponse, `it gets a response`,
				"Waits for the response of the request that was started. Later steps are about it."},
		}}
}

// sendOnce sends a request and keeps its result.
func (w *World) sendOnce(ctx context.Context, c *dynamodb.Client, text string) error {
	r, err := w.request(text)
	if err != nil {
		return err
	}
	w.Reply, err = r.send(ctx, c)
	return err
}

func (w *World) sendTimes(ctx context.Context, times int, text string) error {
	r, err := w.request(text)
	if err != nil {
		return err
	}
	w.Raced = nil
	for range times {
		if w.Reply, err = r.send(ctx, w.Once); err != nil {
			return err
		}
		w.Raced = append(w.Raced, w.Err)
	}
	return nil
}

func (w *World) startRequest(ctx context.Context, text string) error {
	r, err := w.request(text)
	if err != nil {
		return err
	}
	w.StartRequest(ctx, func(ctx context.Context) (Reply, error) { return r.send(ctx, w.Once) })
	return nil
}

// StartRequest sends a request in the background. A later step waits for its result.
func (w *World) StartRequest(ctx context.Context, send func(context.Context) (Reply, error)) {
	begun := make(chan Reply, 1)
	w.begun = begun
	go func() {
		reply, err := send(context.WithoutCancel(ctx))
		if err != nil {
			reply.Err = err
		}
		begun <- reply
	}()
}

// ResponseTimeout is how long an automatic change may take, in the machine's time.
const ResponseTimeout = 30 * time.Second

// StillWaiting waits until a fault makes a request wait.
func (w *World) StillWaiting(ctx context.Context) error {
	e, err := w.Emulator()
	if err != nil {
		return err
	}
	return Await(ctx, ResponseTimeout, func() (bool, error) {
		for _, f := range e.Faults() {
			if f.Waiting > 0 {
				return true, nil
			}
		}
		return false, nil
	})
}

// AwaitResponse waits for the result of the request that was begun, and makes it the Reply.
func (w *World) AwaitResponse(ctx context.Context) error {
	if w.begun == nil {
		return fmt.Errorf("no request was started")
	}
	select {
	case w.Reply = <-w.begun:
		w.begun = nil
		return nil
	case <-time.After(ResponseTimeout):
		return fmt.Errorf("no response within %s: on a stopped clock, a wait lasts until the clock is moved", ResponseTimeout)
	case <-ctx.Done():
		return ctx.Err()
	}
}
