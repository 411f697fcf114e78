package verification

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) rawSteps(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" opens a case whose (\S+) is (.*)$`, w.opensWith)
	sc.Step(`^"([^"]*)" announces a document of "([^"]*)" whose (\S+) is (.*)$`, w.announcesWith)
	sc.Step(`^the reviewer "([^"]*)" moves "([^"]*)" with (\S+) being (.*)$`, w.movesWith)
	sc.Step(`^(the administrator|the reviewer "[^"]*"|"[^"]*") sends (GET|PUT|POST|DELETE) (\S+)(?: with (.*))?$`, w.sends)
	sc.Step(`^the response shows the beginning of the value, in whole characters$`, w.showsBeginning)
	sc.Step(`^nothing was written$`, w.nothingWritten)
	sc.Step(`^nothing was written except the audit trail$`, w.onlyTrail)
	sc.Step(`^the store refuses the next (read|transaction|entry of the trail)$`, w.refuses)
}

// value returns the JSON that a step describes: literal JSON, a text of a given length, or nothing.
func value(text string) (json.RawMessage, error) {
	var n int
	switch {
	case text == "missing":
		return nil, nil
	case scan(text, "%d characters", &n):
		return json.RawMessage(`"` + strings.Repeat("a", n) + `"`), nil
	case scan(text, "%d accented characters", &n): // an odd number of bytes before each
		return json.RawMessage(`"a` + strings.Repeat("é", n-1) + `"`), nil
	case !json.Valid([]byte(text)):
		return nil, fmt.Errorf("%s is no JSON", text)
	}
	return json.RawMessage(text), nil
}

func scan(text, form string, n *int) bool {
	_, err := fmt.Sscanf(text, form, n)
	return err == nil
}

// with returns a body with one field changed. A path such as customerMetadata.email descends into objects.
func with(body map[string]any, field, text string) (map[string]any, error) {
	v, err := value(text)
	if err != nil {
		return nil, err
	}
	in := body
	for {
		part, rest, deeper := strings.Cut(field, ".")
		if !deeper {
			break
		}
		in, field = in[part].(map[string]any), rest
	}
	if in[field] = v; v == nil {
		delete(in, field)
	}
	return body, nil
}

func (w *world) opensWith(ctx context.Context, name, field, text string) error {
	body, err := with(newCase("omang"), field, text)
	if err != nil {
		return err
	}
	return w.act(ctx, name, http.MethodPost, "/cases", body)
}

func (w *world) announcesWith(ctx context.Context, name, called, field, text string) error {
	path, err := w.path(called)
	if err != nil {
		return err
	}
	body, err := with(map[string]any{"documentType": "omang_front", "fileSize": 100, "mimeType": "image/jpeg"}, field,
		text)
	if err != nil {
		return err
	}
	return w.act(ctx, name, http.MethodPost, path+"/documents", body)
}

func (w *world) movesWith(ctx context.Context, who, called, field, text string) error {
	path, err := w.path(called)
	if err != nil {
		return err
	}
	body, err := with(map[string]any{"to": "processing"}, field, text)
	if err != nil {
		return err
	}
	return w.review(ctx, who, http.MethodPost, path+"/transition", body)
}

// sends sends any request as any caller.
func (w *world) sends(ctx context.Context, who, method, path, body string) error {
	path, err := w.Fill(path)
	if err != nil {
		return err
	}
	var as httpapi.Credential
	if parts := strings.Split(who, `"`); len(parts) == 3 {
		as, err = w.as(ctx, parts[1])
		if strings.HasPrefix(who, "the reviewer") {
			as, err = w.reviewer(parts[1])
		}
	} else {
		as = administrator
	}
	if err != nil {
		return err
	}
	if body == "" {
		w.SendStep(ctx, as, method, path, nil)
		return nil
	}
	w.SendStep(ctx, as, method, path, json.RawMessage(body))
	return nil
}

// showsBeginning expects a value that was truncated between two characters.
func (w *world) showsBeginning() error {
	var p struct{ Errors []struct{ Value string } }
	if err := json.Unmarshal(w.Last.Body, &p); err != nil {
		return err
	}
	for _, e := range p.Errors {
		if cut, ok := strings.CutSuffix(e.Value, "…"); ok && cut != "" && strings.Trim(cut, "aé") == "" {
			return nil
		}
	}
	return fmt.Errorf("it is %s", w.Last)
}

// nothingWritten checks that the last request wrote nothing to the store.
func (w *world) nothingWritten() error {
	for _, c := range w.Wire.Calls() {
		switch c.Operation {
		case "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems":
			return fmt.Errorf("the store received %s", c)
		}
	}
	return nil
}

// onlyTrail checks that the last request wrote at most one item, an audit entry.
func (w *world) onlyTrail() error {
	entries := 0
	for _, c := range w.Wire.Calls() {
		switch c.Operation {
		case "PutItem":
			if entries++; entries > 1 || !isAuditEntry(c.Item) {
				return fmt.Errorf("the store received %s of %s", c, itemText(c.Item))
			}
		case "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems":
			return fmt.Errorf("the store received %s", c)
		}
	}
	return nil
}

// refuses makes one write fail as if the store were unavailable.
func (w *world) refuses(what string) {
	operation := map[string]string{"read": "GetItem", "transaction": "TransactWriteItems",
		"entry of the trail": "PutItem"}[what]
	var done atomic.Bool
	w.Wire.AddSubstitute(func(sent string, _ any) (any, error, bool) {
		if sent != operation || done.Swap(true) {
			return nil, nil, false
		}
		return nil, errors.New("refused by the scenario"), true
	})
}
