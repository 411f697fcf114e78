package verification

import (
	"context"
	"fmt"
	"net/http"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
)

// creation is a request that creates something, which can be repeated.
type creation struct {
	as   httpapi.Credential // credential, with the Idempotency-Key
	path string
	body any
}

func (w *world) repeatSteps(sc *godog.ScenarioContext) {
	const key = ` with the idempotency key "([^"]*)"`
	sc.Step(`^"([^"]*)" announces the document "([^"]*)" of "([^"]*)"`+key+`$`,
		func(ctx context.Context, name, side, called, key string) error {
			return w.announcesWithKey(ctx, 1, name, side, called, key)
		})
	sc.Step(`^"([^"]*)" announces the document "([^"]*)" of "([^"]*)"`+key+` (\d+) times at once$`,
		func(ctx context.Context, name, side, called, key string, n int) error {
			return w.announcesWithKey(ctx, n, name, side, called, key)
		})
	sc.Step(`^"([^"]*)" opens a session`+key+`$`, func(ctx context.Context, name, key string) error {
		as, err := w.withKey(ctx, name, key)
		w.creates(ctx, 1, creation{as, "/sessions", nil})
		return err
	})
	sc.Step(`^the administrator creates an API key for "([^"]*)"`+key+`( \d+ times at once)?$`,
		func(ctx context.Context, what, key, often string) {
			n := 1
			_, _ = fmt.Sscanf(often, "%d", &n) // default: once
			as := httpapi.Combine(administrator, httpapi.Header("Idempotency-Key", key))
			w.creates(ctx, n, creation{as, "/api-keys", map[string]any{"description": what}})
		})
	sc.Step(`^the client "([^"]*)" has another API key$`, w.anotherKey)
	sc.Step(`^the same request is sent again$`, func(ctx context.Context) { w.creates(ctx, 1, w.creation) })
	sc.Step(`^the file of "([^"]*)" is sent to the address of that response$`, w.sendsToThatAddress)
	sc.Step(`^the table holds (\d+) "([^"]*)" items?$`, w.tableHolds)
	sc.Step(`^no "([^"]*)" item contains "([^"]*)"$`, func(ctx context.Context, prefix, text string) error {
		items, err := w.Items(ctx, table)
		if err != nil {
			return err
		}
		return steps.LackText(steps.ItemsWithPrefix(items, prefix, "PK", "SK"), text)
	})
}

func (w *world) announcesWithKey(ctx context.Context, n int, name, side, called, key string) error {
	as, err := w.withKey(ctx, name, key)
	if err != nil {
		return err
	}
	path, err := w.path(called)
	d := &document{caseName: called, kind: "image/jpeg", content: content(side)}
	w.documents[side] = d
	w.creates(ctx, n, creation{as, path + "/documents", map[string]any{"documentType": side, "fileSize": len(d.content),
		"mimeType": d.kind}})
	return err
}

// creates sends a request that creates something, n times in parallel.
func (w *world) creates(ctx context.Context, n int, c creation) {
	w.creation = c
	if n == 1 {
		w.SendStep(ctx, c.as, http.MethodPost, c.path, c.body)
		return
	}
	w.SendConcurrently(n, func(int) httpapi.Response { return w.Send(ctx, c.as, http.MethodPost, c.path, c.body) })
}

// anotherKey makes later requests of a client use another of its keys.
func (w *world) anotherKey(ctx context.Context, name string) error {
	c, err := w.client(ctx, name)
	if err != nil {
		return err
	}
	made, err := httpapi.Decode[struct{ APIKey string }](w.Send(ctx, administrator, http.MethodPost, "/api-keys",
		map[string]string{"clientId": c.id}))
	c.key = made.APIKey
	return err
}

// sendsToThatAddress sends the file of a document to the address in the last response.
func (w *world) sendsToThatAddress(ctx context.Context, side string) error {
	answered, err := httpapi.Decode[struct {
		Document struct{ DocumentID string }
		Upload   struct{ URL string }
	}](w.Last)
	if err != nil {
		return err
	}
	d, err := w.document(side)
	if err != nil {
		return err
	}
	d.id, d.url = answered.Document.DocumentID, answered.Upload.URL
	return w.sendFile(ctx, side, nil)
}

// tableHolds counts the items whose partition or sort key begins with prefix.
func (w *world) tableHolds(ctx context.Context, n int, prefix string) error {
	items, err := w.Items(ctx, table)
	if got := steps.CountWithPrefix(items, prefix, "PK", "SK"); err == nil && got != n {
		err = fmt.Errorf("it holds %d", got)
	}
	return err
}
