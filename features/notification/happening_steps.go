package notification

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) eventSteps(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" looks at her preferences$`, func(ctx context.Context, user string) error {
		return w.SendAs(ctx, user, http.MethodGet, "/preferences", nil)
	})
	sc.Step(`^"([^"]*)" saves her preferences as (\{.*\})$`, func(ctx context.Context, user, body string) error {
		return w.SendAs(ctx, user, http.MethodPut, "/preferences", json.RawMessage(body))
	})
	sc.Step(`^"([^"]*)" likes a post of "([^"]*)"(?: with the deduplication key "([^"]*)")?$`, w.likes)
	sc.Step(`^"([^"]*)" likes a post of "([^"]*)" with the idempotency key "([^"]*)"(?:, (\d+) times at once)?$`,
		w.likesWithKey)
	sc.Step(`^the same event is enqueued again$`, func(ctx context.Context) { w.repeat(ctx) })
	sc.Step(`^an older like of a post of "([^"]*)" with the deduplication key "([^"]*)" arrives$`, w.likesLate)
	sc.Step(`^(\d+) likes of posts of "([^"]*)"(?: with the deduplication key "([^"]*)")? come at once$`, w.likesAtOnce)
	sc.Step(`^(\d+) likes of posts of "([^"]*)"$`, func(ctx context.Context, n int, owner string) error {
		return w.manyLikes(ctx, n, owner, 0)
	})
	sc.Step(`^(\d+) likes of posts of "([^"]*)", a minute apart$`, func(ctx context.Context, n int, owner string) error {
		return w.manyLikes(ctx, n, owner, time.Minute)
	})
	sc.Step(`^(\w+_\w+) occurs for "([^"]*)"(?: with (\{.*\}))?$`, w.enqueueEvent)
	sc.Step(`^the event is (PENDING|PROCESSING|COMPLETED|FAILED|RATE_LIMITED|DEDUPLICATED)$`,
		func(ctx context.Context, status string) error {
			return w.lastEventIs(ctx, status)
		})
	sc.Step(`^(\d+) of the events (?:is|are) (PENDING|PROCESSING|COMPLETED|FAILED|RATE_LIMITED|DEDUPLICATED)$`,
		w.eventsAre)
	sc.Step(`^the event is looked up$`, func(ctx context.Context) error { return w.look(ctx, w.made[len(w.made)-1]) })
	sc.Step(`^"([^"]*)" has no quiet hours$`, func(ctx context.Context, user string) error {
		return w.MustSendAs(ctx, user, http.MethodPut, "/preferences", map[string]any{"quietHours": make([]bool, 24)})
	})
	sc.Step(`^"([^"]*)" lives in "([^"]*)"$`, func(ctx context.Context, user, zone string) error {
		return w.MustSendAs(ctx, user, http.MethodPut, "/preferences", map[string]any{"timezone": zone})
	})
	sc.Step(`^"([^"]*)" switches (social|news|marketing) (on|off)$`,
		func(ctx context.Context, user, category, state string) error {
			return w.MustSendAs(ctx, user, http.MethodPut, "/preferences", map[string]any{"quietHours": make([]bool, 24),
				"categories": map[string]bool{category: state == "on"}})
		})
}

// enqueue creates an event, which later steps call "the event".
func (w *world) enqueue(ctx context.Context, event map[string]any) {
	w.operator(ctx, http.MethodPost, "/events", event)
	w.remember(w.Last, fmt.Sprint(event["userId"]))
}

// remember records an event that was created.
func (w *world) remember(a httpapi.Response, user string) {
	if e, err := httpapi.Decode[struct{ ID string }](a); err == nil {
		w.made = append(w.made, e.ID)
		w.events[e.ID] = user
		w.Set("event", e.ID)
	}
}

func like(by, owner, key string) map[string]any {
	event := map[string]any{"userId": owner, "eventType": "POST_LIKE",
		"payload": map[string]string{"actorId": by, "actorName": by, "targetId": "p1", "targetType": "post"}}
	if key != "" {
		event["dedupeKey"] = key
	}
	return event
}

func (w *world) likes(ctx context.Context, by, owner, key string) error {
	w.enqueue(ctx, like(by, owner, key))
	return w.Last.Succeeded()
}

// likesWithKey makes a service enqueue an event with an idempotency key, which it can repeat.
func (w *world) likesWithKey(ctx context.Context, by, owner, key, times string) error {
	as := httpapi.Combine(httpapi.Bearer(adminToken), httpapi.Header("Idempotency-Key", key))
	w.repeat = func(ctx context.Context) { w.SendStep(ctx, as, http.MethodPost, "/events", like(by, owner, "")) }
	if times == "" {
		w.repeat(ctx)
		return nil
	}
	n, err := strconv.Atoi(times)
	w.SendConcurrently(n, func(int) httpapi.Response {
		return w.Send(ctx, as, http.MethodPost, "/events", like(by, owner, ""))
	})
	return err
}

// likesLate creates an event on a server whose clock is a second behind, so that the event is older than those created
// before it.
func (w *world) likesLate(ctx context.Context, owner, key string) error {
	cfg := w.config()
	cfg.Now = func() time.Time { return w.Clock.Now().Add(-time.Second) }
	server, err := backend.New(cfg)
	if err != nil {
		return err
	}
	behind := httpapi.New(w.World, w.Path)
	behind.Start(server)
	a := behind.Send(ctx, httpapi.Bearer(adminToken), http.MethodPost, "/events", like("bob", owner, key))
	w.remember(a, owner)
	return a.Succeeded()
}

func (w *world) likesAtOnce(ctx context.Context, n int, owner, key string) error {
	w.SendConcurrently(n, func(i int) httpapi.Response {
		return w.Send(ctx, httpapi.Bearer(adminToken), http.MethodPost, "/events",
			like(fmt.Sprintf("fan-%d", i+1), owner, key))
	})
	var errs []error
	for _, a := range w.Responses {
		w.remember(a, owner)
		errs = append(errs, a.Succeeded())
	}
	return errors.Join(errs...)
}

func (w *world) manyLikes(ctx context.Context, n int, owner string, apart time.Duration) error {
	for i := range n {
		if err := w.likes(ctx, fmt.Sprintf("fan-%d", i+1), owner, ""); err != nil {
			return err
		}
		if err := w.AdvanceClock(apart); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) enqueueEvent(ctx context.Context, eventType, user, payload string) error {
	event := map[string]any{"userId": user, "eventType": eventType}
	if payload != "" {
		event["payload"] = json.RawMessage(payload)
	}
	w.enqueue(ctx, event)
	return nil
}

// look reads an event as the operator.
func (w *world) look(ctx context.Context, id string) error {
	w.operator(ctx, http.MethodGet, "/events/"+id+"?userId="+url.QueryEscape(w.events[id]), nil)
	return nil
}

func (w *world) status(ctx context.Context, id string) (string, error) {
	if err := w.look(ctx, id); err != nil {
		return "", err
	}
	e, err := httpapi.Decode[struct{ Status string }](w.Last)
	return e.Status, err
}

func (w *world) lastEventIs(ctx context.Context, want string) error {
	got, err := w.status(ctx, w.made[len(w.made)-1])
	if err == nil && got != want {
		err = fmt.Errorf("it is %s: %s", got, w.Last)
	}
	return err
}

func (w *world) eventsAre(ctx context.Context, n int, want string) error {
	got := map[string]int{}
	for _, id := range w.made {
		status, err := w.status(ctx, id)
		if err != nil {
			return err
		}
		got[status]++
	}
	if got[want] != n {
		return fmt.Errorf("the events are %v", got)
	}
	return nil
}
