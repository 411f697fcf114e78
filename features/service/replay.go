package service

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/replay"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// replayResult is the result of a replay.
type replayResult struct {
	sum    replay.Summary
	differ []replay.Result
}

func (w *world) replays(sc *godog.ScenarioContext) {
	sc.Step(`^the recording is replayed to another emulator$`, func(ctx context.Context) error {
		return w.replay(ctx, "", "")
	})
	sc.Step(`^the recording is replayed to another emulator, where (\S+) is replaced by (\S+)$`, w.replay)
	sc.Step(`^(\d+) responses match the recording$`, func(n int) error {
		if w.replayed.sum.Same != n {
			return fmt.Errorf("%+v, %+v", w.replayed.sum, w.replayed.differ)
		}
		return nil
	})
	sc.Step(`^in the (\w+), "([^"]*)" is (\S+) and was (\S+)$`, w.differs)
	sc.Step(`^a request is sent with the signature "([^"]*)" and no access key$`, w.sendUnsigned)
	sc.Step(`^the item (\{.*\}) is put into "([^"]*)" with the key "([^"]*)" and the secret "([^"]*)"$`, w.putAs)
}

// replay replays the last recording on another emulator, with a text in its requests replaced.
func (w *world) replay(ctx context.Context, former, latter string) (err error) {
	if err := w.command(ctx, "GET /_tabletop/recording/requests", "", ""); err != nil {
		return err
	}
	lines := strings.SplitAfter(w.response.body, "\n")
	for i, line := range lines {
		if former != "" && strings.Contains(line, `"operation":"PutItem"`) {
			lines[i] = strings.Replace(line, former, latter, 1)
		}
	}
	in, err := recording.NewReader(strings.NewReader(strings.Join(lines, "")))
	if err != nil {
		return err
	}
	t, err := targets.Embed(emulator.WithManualClock(in.Header.Start))
	if err != nil {
		return err
	}
	w.OnClose(func(context.Context) error { return t.Close() })
	w.replayed.sum, err = replay.Run(ctx, in, replay.Config{
		DynamoDB: &t.Config,
		Clock:    func(to time.Time) error { return t.Advance(max(to.Sub(t.Emulator.Now()), 0)) },
		Differs:  func(r replay.Result) { w.replayed.differ = append(w.replayed.differ, r) },
	})
	return err
}

// differs checks one difference.
func (w *world) differs(operation, path, is, was string) error {
	for _, r := range w.replayed.differ {
		for _, d := range r.Differences {
			if r.Operation == operation && d.Path == path && d.Answered == is && d.Recorded == was {
				return nil
			}
		}
	}
	return fmt.Errorf("the differences are %+v", w.replayed.differ)
}

// putAs puts an item, signed with the given key.
func (w *world) putAs(ctx context.Context, text, table, key, secret string) error {
	it, err := w.ItemOf(text)
	if err != nil {
		return err
	}
	_, err = w.Once.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.Table(table), Item: it}, func(o *dynamodb.Options) {
		o.Credentials = credentials.NewStaticCredentialsProvider(key, secret, "")
	})
	w.Reply = steps.Reply{Err: err}
	return nil
}

// sendUnsigned sends a request that no SDK sends: its signature does not name an access key, and the response repeats
// it.
func (w *world) sendUnsigned(ctx context.Context, signature string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.Target.Emulator.DynamoDBURL(), strings.NewReader("{}"))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 SignedHeaders=host, Signature="+signature)
	return w.send(r)
}
