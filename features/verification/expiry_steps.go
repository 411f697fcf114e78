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
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/jobs"
	schema "github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

func (w *world) expirySteps(sc *godog.ScenarioContext) {
	sc.Step(`^the expiry job runs$`, func(ctx context.Context) error { return w.runExpiryJobs(ctx, 1) })
	sc.Step(`^(\d+) expiry jobs run at once$`, func(ctx context.Context, n int) error { return w.runExpiryJobs(ctx, n) })
	sc.Step(`^the expiry job is stopped after the first day$`, w.stopped)
	sc.Step(`^the expiry job resumes$`, w.goesOn)
	sc.Step(`^the audit retention runs$`, w.retains)
	sc.Step(`^the audit retention runs in the (application|retention)'s role$`, w.retainsAs)
	sc.Step(`^the job expired (\d+) cases? and removed (no|\d+) documents? and (no|\d+) files?$`,
		w.expired)
	sc.Step(`^(no|\d+) audit entr(?:y was|ies were) removed$`, w.removed)
	sc.Step(`^each of "([^"]*)" and "([^"]*)" was expired once$`, w.expiredOnce)
	sc.Step(`^it is (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$`, w.setTime)
	sc.Step(`^only the service's clock moves (\d+) (second|minute|hour|day)s?$`, func(n int, unit string) {
		w.Clock.Advance(steps.DurationOf(n, unit))
	})
	sc.Step(`^only the service's clock moves (\d+) years less (\d+) seconds$`, func(years, seconds int) {
		now := w.Clock.Now()
		w.Clock.Advance(now.AddDate(years, 0, 0).Sub(now) - steps.DurationOf(seconds, "second"))
	})
}

// job runs a job of the service as tabletop job does: in another process, with the same files. told receives the
// progress and may be nil.
func (w *world) job(ctx context.Context, cfg aws.Config, which func(*schema.Service) jobs.Job,
	progress func(jobs.Progress)) (jobs.Summary, error) {
	if err := jobs.Ensure(ctx, w.Client, w.Prefix); err != nil {
		return jobs.Summary{}, err
	}
	service, err := backend.NewVerification(w.config(cfg))
	if err != nil {
		return jobs.Summary{}, err
	}
	return jobs.New(jobs.Config{
		Client: dynamodb.NewFromConfig(inRegion(cfg)), TablePrefix: w.Prefix, Now: w.Clock.Now, Wait: shortPause,
		Progress: progress, Workers: 1,
	}).Run(ctx, which(service))
}

// shortPause is a short real pause, while the scenario's clock stands still.
func shortPause(ctx context.Context, _ time.Duration) error { return pause.For(ctx, time.Millisecond) }

func (w *world) runExpiryJobs(ctx context.Context, places int) error {
	if err := w.AwaitIndexEntries(ctx, table, "GSI2"); err != nil {
		return err
	}
	if err := jobs.Ensure(ctx, w.Client, w.Prefix); err != nil {
		return err
	}
	swept := make([]jobs.Summary, places)
	errs := make([]error, places)
	var all sync.WaitGroup
	for i := range places {
		all.Go(func() { swept[i], errs[i] = w.job(ctx, w.RecordedConfig(), (*schema.Service).ExpiryJob, nil) })
	}
	all.Wait()
	w.swept = swept[0] // summary of the run, whichever worker finished it
	return errors.Join(errs...)
}

// stopped ends the job after the first day with work to do.
func (w *world) stopped(ctx context.Context) error {
	if err := w.AwaitIndexEntries(ctx, table, "GSI2"); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	_, err := w.job(ctx, w.RecordedConfig(), (*schema.Service).ExpiryJob, func(p jobs.Progress) {
		if w.swept.Counts = p.Counts; p.Counts["expired"] > 0 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("it was not stopped: %w", err)
	}
	return nil
}

func (w *world) goesOn(ctx context.Context) error {
	err := w.runExpiryJobs(ctx, 1)
	if err == nil && (!w.swept.Resumed || w.swept.Run != 1) {
		err = fmt.Errorf("it started from the beginning: %+v", w.swept)
	}
	return err
}

func (w *world) expired(cases int, documents, files string) error {
	did := w.swept.Counts
	if did["expired"] != int64(cases) || fmt.Sprint(did["documents"]) != number(documents) ||
		fmt.Sprint(did["files"]) != number(files) {
		return fmt.Errorf("it was %v", did)
	}
	return nil
}

func number(text string) string { return strings.Replace(text, "no", "0", 1) }

func (w *world) retains(ctx context.Context) error { return w.retain(ctx, w.RecordedConfig()) }

func (w *world) retainsAs(ctx context.Context, who string) error {
	cfg := w.role()
	if who == "retention" {
		cfg = w.Target.Emulator.AWSConfigFor("retention")
	}
	w.Err = w.retain(ctx, cfg)
	return nil
}

func (w *world) retain(ctx context.Context, cfg aws.Config) (err error) {
	w.swept, err = w.job(ctx, cfg, (*schema.Service).RetentionJob, nil)
	return err
}

func (w *world) removed(count string) error {
	if got := w.swept.Counts["entries"]; fmt.Sprint(got) != number(count) {
		return fmt.Errorf("it was %v", w.swept.Counts)
	}
	return nil
}

// keepFiles makes the service keep uploads in a folder of the scenario's own.
func (w *world) keepFiles() error {
	folder, err := os.MkdirTemp("", "verification-specs-*")
	if err != nil {
		return err
	}
	w.OnClose(func(context.Context) error { return os.RemoveAll(folder) })
	w.files = folder
	return w.start(w.RecordedConfig())
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

// setTime restarts the scenario at the time in a step, with a store whose clock shows the same time.
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
