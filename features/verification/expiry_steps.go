package verification

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	schema "github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) expirySteps(sc *godog.ScenarioContext) {
	sc.Step(`^the expiry job runs$`, func(ctx context.Context) error { return w.sweep(ctx, 1, schema.Run{}) })
	sc.Step(`^the expiry job runs in (\d+) places at once$`, func(ctx context.Context, n int) error { return w.sweep(ctx, n, schema.Run{}) })
	sc.Step(`^the expiry job is stopped after the first day$`, w.stopped)
	sc.Step(`^the expiry job goes on where it was stopped$`, w.goesOn)
	sc.Step(`^the audit retention runs$`, w.retains)
	sc.Step(`^the audit retention runs in the (application|retention)'s role$`, w.retainsAs)
	sc.Step(`^(\d+) cases? (?:was|were) expired(?:, of which|, and) (no|\d+) documents? and (no|\d+) files? (?:was|were) removed$`, w.expired)
	sc.Step(`^(no|\d+) audit entr(?:y was|ies were) removed$`, w.removed)
	sc.Step(`^each of "([^"]*)" and "([^"]*)" was expired once$`, w.expiredOnce)
	sc.Step(`^it is (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$`, w.setTime)
	sc.Step(`^the service's clock alone moves (\d+) (second|minute|hour|day)s?$`, func(n int, unit string) { w.Clock.Advance(steps.Span(n, unit)) })
}

// job is an instance of the service for a job, whose files are those of the first.
func (w *world) job(cfg aws.Config) (*schema.Service, error) {
	return backend.NewVerification(w.config(cfg))
}

func (w *world) sweep(ctx context.Context, places int, run schema.Run) error {
	if err := w.Settle(ctx, table, "GSI2"); err != nil {
		return err
	}
	w.swept = make([]schema.Swept, places)
	errs := make([]error, places)
	var all sync.WaitGroup
	for i := range places {
		service, err := w.job(w.Observed())
		if err != nil {
			return err
		}
		all.Go(func() { w.swept[i], errs[i] = service.ExpireDue(ctx, run) })
	}
	all.Wait()
	return errors.Join(errs...)
}

var errStopped = errors.New("stopped by the scenario")

// stopped ends the job when the first day is done on which there was something to do.
func (w *world) stopped(ctx context.Context) error {
	err := w.sweep(ctx, 1, schema.Run{Done: func(day string, done schema.Swept) error {
		w.Set("stop", day)
		if done.Expired > 0 {
			return errStopped
		}
		return nil
	}})
	if !errors.Is(err, errStopped) {
		return fmt.Errorf("it was not stopped: %w", err)
	}
	return nil
}

func (w *world) goesOn(ctx context.Context) error {
	after, err := w.Fill("{stop}")
	if err != nil {
		return err
	}
	return w.sweep(ctx, 1, schema.Run{After: after})
}

func (w *world) expired(cases int, documents, files string) error {
	var sum schema.Swept
	for _, s := range w.swept {
		sum.Expired += s.Expired
		sum.Documents += s.Documents
		sum.Files += s.Files
	}
	if sum.Expired != cases || fmt.Sprint(sum.Documents) != number(documents) || fmt.Sprint(sum.Files) != number(files) {
		return fmt.Errorf("it was %+v", sum)
	}
	return nil
}

func number(text string) string { return strings.Replace(text, "no", "0", 1) }

func (w *world) retains(ctx context.Context) error { return w.retain(ctx, w.Observed()) }

func (w *world) retainsAs(ctx context.Context, who string) error {
	cfg := w.role()
	if who == "retention" {
		cfg = w.Target.Emulator.AWSConfigFor("retention")
	}
	w.Err = w.retain(ctx, cfg)
	return nil
}

func (w *world) retain(ctx context.Context, cfg aws.Config) error {
	service, err := w.job(cfg)
	if err != nil {
		return err
	}
	swept, err := service.RetainAudit(ctx, schema.Run{})
	w.swept = []schema.Swept{swept}
	return err
}

func (w *world) removed(count string) error {
	if got := w.swept[0].Entries; fmt.Sprint(got) != number(count) {
		return fmt.Errorf("it was %+v", w.swept[0])
	}
	return nil
}

// keepFiles has the service keep uploads in a folder of the scenario's own.
func (w *world) keepFiles() error {
	folder, err := os.MkdirTemp("", "verification-specs-*")
	if err != nil {
		return err
	}
	w.OnClose(func(context.Context) error { return os.RemoveAll(folder) })
	w.files = folder
	return w.start(w.Observed())
}

func (w *world) folderHolds(count string) error {
	files := 0
	err := fs.WalkDir(os.DirFS(w.files), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files++
		}
		return err
	})
	if err == nil && fmt.Sprint(files) != number(count) {
		err = fmt.Errorf("it holds %d", files)
	}
	return err
}

func (w *world) expiredOnce(ctx context.Context, first, second string) error {
	if err := w.readTrail(ctx, "user", "system"); err != nil {
		return err
	}
	entries, err := w.entries()
	if err != nil {
		return err
	}
	for _, called := range []string{first, second} {
		times := 0
		for _, e := range entries {
			if e.Action == "case.expire" && e.Outcome == "done" && e.VerificationID == w.cases[called] {
				times++
			}
		}
		if times != 1 {
			return fmt.Errorf("%s was expired %d times: %s", called, times, strings.Join(lines(entries), "\n"))
		}
	}
	return nil
}

// setTime begins anew at a time of which a sentence speaks, with a store whose clock stands there too.
func (w *world) setTime(ctx context.Context, text string) error {
	to, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return err
	}
	w.Clock.Advance(to.Sub(w.Clock.Now()))
	if err := w.Restart(); err != nil {
		return err
	}
	return w.open(ctx)
}
