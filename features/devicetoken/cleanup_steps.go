package devicetoken

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	schema "github.com/tabletop-db/tabletop/backend/devicetoken"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/jobs/cleanup"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// cleanupResult is the result of the last cleanup.
type cleanupResult struct {
	summary jobs.Summary
	err     error
}

func (w *world) cleanups(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" has (\d+) phones that logged out (\d+) days ago$`, w.loggedOutLongAgo)
	sc.Step(`^"([^"]*)" has (\d+) phones of (\d+) KB that logged out (\d+) days ago$`, w.heavyLoggedOut)
	sc.Step(`^the cleanup runs$`, func(ctx context.Context) error { return w.clean(ctx, nil) })
	sc.Step(`^the cleanup runs in its role$`, func(ctx context.Context) error {
		w.cleanAs = w.signedBy(schema.UserCleanup).Credentials
		return w.clean(ctx, nil)
	})
	sc.Step(`^the cleanup runs and is interrupted after (\d+) deletions$`, w.cleanUntilCut)
	sc.Step(`^the cleanup runs while "([^"]*)" registers "([^"]*)"$`, w.cleanWhile)
	sc.Step(`^the cleanup runs twice at the same time$`, w.cleanTwice)
	sc.Step(`^it completes: (\d+) phones? (?:was|were) deleted and (\d+) (?:was|were) kept$`, w.cleanedUp)
	sc.Step(`^it completes the interrupted run$`, func() error { return w.cleanedIn(w.cleaned.summary.Resumed) })
	sc.Step(`^it is skipped because it ran recently$`, func() error {
		return w.cleanedIn(w.cleaned.summary.AlreadyFinished)
	})
	sc.Step(`^no phone of "([^"]*)" is left$`, w.noneLeft)
	sc.Step(`^at least (\d+) phones are left$`, w.leftAtLeast)
	sc.Step(`^it is not complete$`, func() error {
		if w.cleaned.err == nil {
			return fmt.Errorf("it is: %+v", w.cleaned.summary)
		}
		return nil
	})
}

// loggedOutLongAgo stores phones in the state that a logout leaves.
func (w *world) loggedOutLongAgo(ctx context.Context, user string, n, days int) error {
	var puts []types.WriteRequest
	for i := range n {
		puts = append(puts,
			types.WriteRequest{PutRequest: &types.PutRequest{Item: w.loggedOut(user, fmt.Sprintf("old-%d", i+1), days)}})
	}
	for len(puts) > 0 {
		const most = 25 // items per batch
		batch := puts[:min(most, len(puts))]
		puts = puts[len(batch):]
		if err := w.PutBatch(ctx, map[string][]types.WriteRequest{*w.Table(table): batch}); err != nil || w.Reply.Err != nil {
			return errors.Join(err, w.Reply.Err)
		}
	}
	return nil
}

func (w *world) loggedOut(user, phone string, days int) steps.Item {
	at := w.Clock.Now().Add(-steps.DurationOf(days, "day"))
	return steps.Item{
		"userId": text(user), "deviceId": text(phone), "platform": text("ios"),
		"expoPushToken": text("ExponentPushToken[" + phone + "]"),
		"isActive":      &types.AttributeValueMemberBOOL{}, "registeredAt": text(steps.Timestamp(at)),
		"updatedAt": text(steps.Timestamp(at)),
		"expiresAt": seconds(at.Unix() + 90*86400),
	}
}

// heavyLoggedOut stores phones that are so large that few of them fill a page of a Scan.
func (w *world) heavyLoggedOut(ctx context.Context, user string, n, size, days int) error {
	for i := range n {
		it := w.loggedOut(user, fmt.Sprintf("heavy-%d", i+1), days)
		it["filler"] = text(strings.Repeat("x", size<<10))
		if _, err := w.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.Table(table), Item: it}); err != nil {
			return err
		}
	}
	return nil
}

// clean runs the cleanup. It calls first before each deletion request; an error of first closes the connection.
func (w *world) clean(ctx context.Context, first func() error) error {
	if err := jobs.Ensure(ctx, w.Client, w.Prefix); err != nil {
		return err
	}
	w.Set("cutoff", steps.Timestamp(w.Clock.Now().Add(-steps.DurationOf(30, "day"))))
	w.cleaned.summary, w.cleaned.err = w.cleanOnce(ctx, first)
	return nil
}

func (w *world) cleanOnce(ctx context.Context, first func() error) (jobs.Summary, error) {
	client := w.SDK(func(o *dynamodb.Options) {
		if w.cleanAs != nil {
			o.Credentials = w.cleanAs
		}
		if first != nil {
			o.HTTPClient = &http.Client{Transport: w.Link.WithHook("DeleteItem", first)}
			o.Retryer = aws.NopRetryer{}
		}
	})
	cfg := jobs.Config{Client: client, TablePrefix: w.Prefix, Now: w.Clock.Now, Wait: shortPause}
	return jobs.New(cfg).Run(ctx, cleanup.Job(client, *w.Table(table), w.Clock.Now(), 2))
}

// shortPause is a short real pause, while the scenario's clock stands still.
func shortPause(ctx context.Context, _ time.Duration) error { return pause.For(ctx, time.Millisecond) }

func (w *world) cleanUntilCut(ctx context.Context, n int) error {
	var sent atomic.Int64
	return w.clean(ctx, func() error {
		if sent.Add(1) > int64(n) {
			return errors.New("the line is cut")
		}
		return nil
	})
}

// leftAtLeast checks that at least n items are left. There may be more than the sent deletions would leave, because the
// first one to fail cancels the others under way.
func (w *world) leftAtLeast(ctx context.Context, n int) error {
	items, err := w.Items(ctx, table)
	if err == nil && len(items) < n {
		err = fmt.Errorf("%d are", len(items))
	}
	return err
}

func (w *world) noneLeft(ctx context.Context, user string) error {
	items, err := w.Items(ctx, table)
	if n := steps.CountWithPrefix(items, user, "userId"); err == nil && n > 0 {
		err = fmt.Errorf("%d are", n)
	}
	return err
}

func (w *world) cleanWhile(ctx context.Context, user, phone string) error {
	var once sync.Once
	return w.clean(ctx, func() (err error) {
		once.Do(func() { err = w.registers(ctx, user, phone) })
		return err
	})
}

func (w *world) cleanTwice(ctx context.Context) error {
	if err := jobs.Ensure(ctx, w.Client, w.Prefix); err != nil {
		return err
	}
	var other error
	var both sync.WaitGroup
	both.Go(func() { _, other = w.cleanOnce(ctx, nil) })
	w.cleaned.summary, w.cleaned.err = w.cleanOnce(ctx, nil)
	both.Wait()
	return other
}

func (w *world) cleanedUp(deleted, kept int64) error {
	if err := w.cleanedIn(true); err != nil {
		return err
	}
	got := w.cleaned.summary.Counts
	if got["deleted"] != deleted || got["kept"] != kept {
		return fmt.Errorf("%d were deleted and %d kept", got["deleted"], got["kept"])
	}
	return nil
}

// cleanedIn checks that the cleanup ended, in the way that its summary shows.
func (w *world) cleanedIn(way bool) error {
	if w.cleaned.err != nil || !way || w.cleaned.summary.FinishedAt == "" {
		return fmt.Errorf("it ended as %+v, %w", w.cleaned.summary, w.cleaned.err)
	}
	return nil
}
