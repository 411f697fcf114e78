package kefir

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) batchSteps(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" starts the batch "([^"]*)"$`, w.starts)
	sc.Step(`^"([^"]*)" starts a batch whose "([^"]*)" is (.*)$`, w.startsWith)
	sc.Step(`^"([^"]*)" has started the batch(?:es)? "([^"]*)"$`, w.hasStarted)
	sc.Step(`^"([^"]*)" has started (\d+) batches$`, w.hasStartedMany)
	sc.Step(`^"([^"]*)" bottles "([^"]*)"$`, func(ctx context.Context, user, batch string) error {
		return w.sendAbout(ctx, user, http.MethodPost, batch, "/stage", bottling())
	})
	sc.Step(`^"([^"]*)" bottles "([^"]*)" in (\d+) bottles$`, w.bottles)
	sc.Step(`^"([^"]*)" bottles "([^"]*)" (\d+) times at once$`,
		func(ctx context.Context, user, batch string, n int) error {
			return w.atOnce(ctx, user, n, batch, "/stage", bottling())
		})
	sc.Step(`^"([^"]*)" (?:has )?moved "([^"]*)" to "([^"]*)"$`, w.puts)
	sc.Step(`^"([^"]*)" moves "([^"]*)" to "([^"]*)"$`, w.puts)
	sc.Step(`^"([^"]*)" moves "([^"]*)" to "([^"]*)" (\d+) times at once$`,
		func(ctx context.Context, user, batch, status string, n int) error {
			return w.atOnce(ctx, user, n, batch, "/status", map[string]any{"status": status})
		})
	sc.Step(`^"([^"]*)" moves "([^"]*)" to "([^"]*)" while it is moved to "([^"]*)"$`, w.putsMeanwhile)
	sc.Step(`^"([^"]*)" bottles "([^"]*)" in (\d+) bottles while it is bottled in (\d+)$`, w.bottlesMeanwhile)
	sc.Step(`^"([^"]*)" looks at "([^"]*)"$`, func(ctx context.Context, user, batch string) error {
		return w.sendAbout(ctx, user, http.MethodGet, batch, "", nil)
	})
	sc.Step(`^"([^"]*)" looks at the timeline of "([^"]*)"$`, func(ctx context.Context, user, batch string) error {
		return w.sendAbout(ctx, user, http.MethodGet, batch, "/timeline", nil)
	})
	sc.Step(`^"([^"]*)" changes "([^"]*)" to (\{.*\})$`, func(ctx context.Context, user, batch, body string) error {
		return w.sendAbout(ctx, user, http.MethodPatch, batch, "", []byte(body))
	})
	sc.Step(`^anybody reads the public batch "([^"]*)"$`, w.anybodyReads)
}

func recipe(name string) map[string]any {
	return map[string]any{"name": name, "waterVolumeMl": 1000, "sugarGrams": 60, "temperatureC": 22,
		"targetHoursStage1": 48}
}

func bottling() map[string]any {
	return map[string]any{"stage": 2, "bottleCount": 3, "bottleVolumeMl": 330, "temperatureCStage2": 20,
		"targetHoursStage2": 24}
}

// starts creates a batch. Steps refer to its id as {name}.
func (w *world) starts(ctx context.Context, user, name string) error {
	if err := w.SendAs(ctx, user, http.MethodPost, "/batches", recipe(name)); err != nil {
		return err
	}
	made, err := httpapi.Decode[struct {
		ID string `json:"batchId"`
	}](w.Last)
	w.Set(name, made.ID)
	w.batches[made.ID], w.owners[name] = name, user
	return err
}

// startsWith starts a batch that is valid except for one field, whose value is JSON, or missing.
func (w *world) startsWith(ctx context.Context, user, field, value string) error {
	body := recipe("figs")
	delete(body, field)
	if value != "missing" {
		text, err := w.Expand(value)
		if err != nil {
			return err
		}
		body[field] = json.RawMessage(text)
	}
	return w.SendAs(ctx, user, http.MethodPost, "/batches", body)
}

// hasStarted creates batches and waits until the index has them.
func (w *world) hasStarted(ctx context.Context, user, names string) error {
	for name := range strings.SplitSeq(names, ", ") {
		if err := w.starts(ctx, user, name); err != nil {
			return err
		}
	}
	return w.awaitIndexes(ctx)
}

func (w *world) hasStartedMany(ctx context.Context, user string, n int) error {
	for i := range n {
		if err := w.starts(ctx, user, fmt.Sprintf("batch %02d", i+1)); err != nil {
			return err
		}
	}
	return w.awaitIndexes(ctx)
}

func (w *world) puts(ctx context.Context, user, batch, status string) error {
	return w.sendAbout(ctx, user, http.MethodPost, batch, "/status", map[string]any{"status": status})
}

func (w *world) bottles(ctx context.Context, user, batch string, n int) error {
	body := bottling()
	body["bottleCount"] = n
	return w.sendAbout(ctx, user, http.MethodPost, batch, "/stage", body)
}

// putsMeanwhile changes the batch to another status between the service's read and its write.
func (w *world) putsMeanwhile(ctx context.Context, user, batch, status, other string) error {
	failed := w.interruptBefore("TransactWriteItems", func() error { return w.puts(ctx, user, batch, other) })
	return errors.Join(w.puts(ctx, user, batch, status), failed())
}

// bottlesMeanwhile bottles the batch between the service's read and its write.
func (w *world) bottlesMeanwhile(ctx context.Context, user, batch string, n, other int) error {
	failed := w.interruptBefore("TransactWriteItems", func() error { return w.bottles(ctx, user, batch, other) })
	return errors.Join(w.bottles(ctx, user, batch, n), failed())
}

func (w *world) atOnce(ctx context.Context, user string, n int, batch, rest string, body any) error {
	path, err := w.batchPath(batch)
	if err != nil {
		return err
	}
	as, err := w.Credential(user)
	w.SendConcurrently(n, func(int) httpapi.Response { return w.Send(ctx, as, http.MethodPost, path+rest, body) })
	return err
}

func (w *world) anybodyReads(ctx context.Context, batch string) error {
	id, err := w.Fill("{" + batch + "}")
	w.SendStep(ctx, httpapi.Anonymous, http.MethodGet, "/public/batches/"+id, nil)
	return err
}

func (w *world) lists(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" lists (?:the|all) batches(?: in pages of (\d+))?$`,
		func(ctx context.Context, user, limit string) error {
			return w.listBatches(ctx, user, "", limit)
		})
	sc.Step(`^"([^"]*)" lists the batches that are "([^"]*)"(?: in pages of (\d+))?$`, w.listBatches)
	sc.Step(`^the operator lists all users' batches that are "([^"]*)"(?: in pages of (\d+))?$`, w.listByStatus)
	sc.Step(`^the list is "([^"]*)"$`, func(want string) error { return w.listIs(want, false) })
	sc.Step(`^the list is "([^"]*)" in any order$`, func(want string) error { return w.listIs(want, true) })
	sc.Step(`^the list has (\d+) entries, each once$`, w.eachOnce)
	sc.Step(`^the pages have ([\d, and]+) entr(?:y|ies)$`, w.pagesHave)
}

func (w *world) listBatches(ctx context.Context, user, status, limit string) error {
	as, err := w.Credential(user)
	if err != nil {
		return err
	}
	path := "/batches"
	if status != "" {
		path += "?status=" + status
	}
	return w.list(ctx, as, path, "batches", limit, w.nameOf)
}

func (w *world) listByStatus(ctx context.Context, status, limit string) error {
	if err := w.awaitIndexes(ctx); err != nil {
		return err
	}
	return w.list(ctx, httpapi.Bearer(adminToken), "/admin/batches?status="+status, "batches", limit, w.nameOf)
}

func (w *world) nameOf(entry map[string]any) string {
	id, _ := entry["batchId"].(string)
	return w.batches[id]
}

// listIs compares the entries of the last list, by name.
func (w *world) listIs(want string, anyOrder bool) error {
	if err := w.Last.Succeeded(); err != nil {
		return err
	}
	got := slices.Clone(w.listed)
	if anyOrder {
		slices.Sort(got)
	}
	if list := strings.Join(got, ", "); list != want {
		return fmt.Errorf("it is %q", list)
	}
	return nil
}

func (w *world) eachOnce(n int) error {
	got := slices.Clone(w.listed)
	slices.Sort(got)
	if got = slices.Compact(got); len(got) != n || len(w.listed) != n {
		return errors.Join(w.Last.Succeeded(), fmt.Errorf("it has %d, %d of them different", len(w.listed), len(got)))
	}
	return nil
}

func (w *world) pagesHave(want string) error {
	var sizes []string
	for _, n := range w.sizes {
		sizes = append(sizes, strconv.Itoa(n))
	}
	if !slices.Equal(sizes, numbers(want)) {
		return fmt.Errorf("they have %s", strings.Join(sizes, ", "))
	}
	return nil
}
