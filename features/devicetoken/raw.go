package devicetoken

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) raw(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" sends (GET|POST|PUT|DELETE) (\S+)$`, func(ctx context.Context, user, method, path string) error {
		return w.sends(ctx, user, method, path, "")
	})
	sc.Step(`^"([^"]*)" sends (GET|POST|PUT|DELETE) (\S+) with (.*)$`, w.sends)
	sc.Step(`^the operator sends (GET|POST) (\S+)$`, func(ctx context.Context, method, path string) error {
		return w.operatorSends(ctx, method, path, "")
	})
	sc.Step(`^the operator sends (GET|POST) (\S+) with (.*)$`, w.operatorSends)
	sc.Step(`^that answer is remembered$`, func() { w.remembered = w.Last })
	sc.Step(`^the answer is the remembered one, to the byte$`, w.asRemembered)
}

// repeated is written 300×a for a text that is too long to read.
var repeated = regexp.MustCompile(`(\d+)×(\S)`)

func (w *world) written(body string) (any, error) {
	if body == "" {
		return nil, nil
	}
	filled, err := w.Fill(body)
	long := repeated.ReplaceAllStringFunc(filled, func(s string) string {
		m := repeated.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[1]) // digits only
		return strings.Repeat(m[2], n)
	})
	return []byte(long), err
}

func (w *world) sends(ctx context.Context, user, method, path, body string) error {
	path, err := w.path(path)
	if err != nil {
		return err
	}
	sent, err := w.written(body)
	if err != nil {
		return err
	}
	return w.do(ctx, user, method, path, sent)
}

func (w *world) path(path string) (string, error) {
	text, err := w.written(path)
	if err != nil {
		return "", err
	}
	return string(text.([]byte)), nil
}

func (w *world) operatorSends(ctx context.Context, method, path, body string) error {
	path, err := w.path(path)
	if err != nil {
		return err
	}
	sent, err := w.written(body)
	if err == nil {
		w.Act(ctx, httpapi.Bearer(adminToken), method, path, sent)
	}
	return err
}

// asRemembered compares status and body.
func (w *world) asRemembered() error {
	if w.Last.Status != w.remembered.Status || string(w.Last.Body) != string(w.remembered.Body) || !json.Valid(w.Last.Body) {
		return fmt.Errorf("it is %s, and that was %s", w.Last, w.remembered)
	}
	return nil
}
