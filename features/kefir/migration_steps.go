package kefir

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend/jobs"
	schema "github.com/tabletop-db/tabletop/backend/kefir"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// migration is the state of a migration of a table.
type migration struct {
	summary jobs.Summary // summary of the last backfill
	err     error
	traffic traffic
}

func (w *world) migrationSteps(sc *godog.ScenarioContext) {
	sc.Step(`^all data is as a program of version 1\.0\.0 wrote it$`, w.asVersion1)
	sc.Step(`^the table is that of version 1\.0\.0, with the additional index "([^"]*)"$`, w.createVersion1)
	sc.Step(`^"([^"]*)", "([^"]*)" and the operator keep reading and writing$`, w.startTraffic)
	sc.Step(`^the indexes of version 1\.1\.0 are added$`, w.addIndexes)
	sc.Step(`^the backfill is interrupted after (\d+) items$`, w.fillUntilCut)
	sc.Step(`^the backfill (?:runs|is started again)$`, func(ctx context.Context) error { return w.fill(ctx, nil) })
	sc.Step(`^the backfill runs while "([^"]*)" moves "([^"]*)" to "([^"]*)"$`, w.fillWhile)
	sc.Step(`^the backfill runs while a program of version 1\.0\.0 moves "([^"]*)" to "([^"]*)"$`, w.fillWhileOld)
	sc.Step(`^it is not complete$`, func() error {
		if w.migration.err == nil {
			return fmt.Errorf("it is: %+v", w.migration.summary)
		}
		return nil
	})
	sc.Step(`^it completes the interrupted run$`, func() error {
		if m := &w.migration; m.err != nil || !m.summary.Resumed || m.summary.FinishedAt == "" {
			return fmt.Errorf("it ended as %+v, %w", m.summary, m.err)
		}
		return nil
	})
	sc.Step(`^the operator's list is switched to the new index$`, w.moveQueries)
	sc.Step(`^everybody reads and writes once more$`, w.endTraffic)
	sc.Step(`^no read or write failed$`, func() error { return errors.Join(w.migration.traffic.failed...) })
	sc.Step(`^the batch "([^"]*)" has the attribute "([^"]*)" with "([^"]*)"$`, w.batchHas)
	sc.Step(`^the batch "([^"]*)" has no attribute "([^"]*)"$`, func(ctx context.Context, batch, attribute string) error {
		return w.batchHas(ctx, batch, attribute, "")
	})
}

// asVersion1 removes the attributes that version 1.0.0 did not write from every item.
func (w *world) asVersion1(ctx context.Context) error {
	items, err := w.Items(ctx, table)
	for _, it := range items {
		_, failed := w.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: w.Table(table), Key: steps.Item{"PK": it["PK"], "SK": it["SK"]},
			UpdateExpression: aws.String("REMOVE GSI2PK, GSI2SK, GSI3PK, GSI3SK"),
		})
		err = errors.Join(err, failed)
	}
	return err
}

// createVersion1 recreates the table as documented, with an index by status that an earlier program may have had.
func (w *world) createVersion1(ctx context.Context, index string) error {
	if err := tables.Drop(ctx, w.Client, schema.Schema(w.Prefix).Tables); err != nil {
		return err
	}
	if err := tables.Create(ctx, w.Client, schema.DocumentedSchema(w.Prefix, schema.DefaultStage).Tables); err != nil {
		return err
	}
	w.migration.traffic.old = index
	return w.AddIndex(ctx, table, index, "status", "createdAt")
}

// addIndexes adds the indexes that the current version has and the documented one lacks, one after the other, as the
// service requires.
func (w *world) addIndexes(ctx context.Context) error {
	create := schema.Schema(w.Prefix).Tables[0].Create
	for _, g := range create.GlobalSecondaryIndexes {
		if *g.IndexName == "GSI1" {
			continue
		}
		_, err := w.Client.UpdateTable(ctx, &dynamodb.UpdateTableInput{
			TableName: create.TableName, AttributeDefinitions: create.AttributeDefinitions,
			GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
				IndexName: g.IndexName, KeySchema: g.KeySchema, Projection: g.Projection,
			}}},
		})
		if err = errors.Join(err, w.AwaitIndex(ctx, table, *g.IndexName, true)); err != nil {
			return err
		}
	}
	return nil
}

// fill runs the backfill. It calls before ahead of each write; if before fails, the connection is closed.
func (w *world) fill(ctx context.Context, before func() error) error {
	if err := jobs.Ensure(ctx, w.Client, w.Prefix); err != nil {
		return err
	}
	client := w.SDK(func(o *dynamodb.Options) {
		if before != nil {
			o.HTTPClient, o.Retryer = &http.Client{Transport: w.Link.WithHook("UpdateItem", before)}, aws.NopRetryer{}
		}
	})
	cfg := jobs.Config{Client: client, TablePrefix: w.Prefix, Now: w.Clock.Now, Workers: 1, Wait: shortPause}
	w.migration.summary, w.migration.err = jobs.New(cfg).Run(ctx, schema.Backfill(client, w.Prefix, "", 2))
	return nil
}

// shortPause is a short real pause, while the scenario's clock stands still.
func shortPause(ctx context.Context, _ time.Duration) error { return pause.For(ctx, time.Millisecond) }

func (w *world) fillUntilCut(ctx context.Context, n int) error {
	left := n
	return w.fill(ctx, func() error {
		if left--; left < 0 {
			return errors.New("the line is cut")
		}
		return nil
	})
}

func (w *world) fillWhile(ctx context.Context, user, batch, status string) error {
	return w.fillAfter(ctx, func() error { return w.puts(ctx, user, batch, status) })
}

// fillWhileOld changes a batch as a program does that knows only the keys of version 1.0.0, while the backfill runs.
func (w *world) fillWhileOld(ctx context.Context, batch, status string) error {
	return w.fillAfter(ctx, func() error {
		it, err := w.batchItem(ctx, batch)
		if err != nil {
			return err
		}
		_, err = w.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: w.Table(table), Key: steps.Item{"PK": it["PK"], "SK": it["SK"]},
			UpdateExpression:          aws.String("SET #status = :status"),
			ExpressionAttributeNames:  map[string]string{"#status": "status"},
			ExpressionAttributeValues: steps.Item{":status": &types.AttributeValueMemberS{Value: status}},
		})
		return err
	})
}

// fillAfter runs the backfill, and calls do between its first read and its first write.
func (w *world) fillAfter(ctx context.Context, do func() error) error {
	var once sync.Once
	err := w.fill(ctx, func() (err error) {
		once.Do(func() { err = do() })
		return err
	})
	return errors.Join(err, w.migration.err)
}

// batchHas compares a string attribute of a batch's item. An empty text means no attribute.
func (w *world) batchHas(ctx context.Context, batch, attribute, want string) error {
	it, err := w.batchItem(ctx, batch)
	if err != nil {
		return err
	}
	if got, _ := it[attribute].(*types.AttributeValueMemberS); got == nil && want == "" || got != nil &&
		got.Value == want {
		return nil
	}
	return fmt.Errorf("it has %v", it[attribute])
}

func (w *world) batchItem(ctx context.Context, batch string) (steps.Item, error) {
	items, err := w.Items(ctx, table)
	for _, it := range items {
		id, ok := it["batchId"].(*types.AttributeValueMemberS)
		if _, named := it["name"]; ok && named && w.batches[id.Value] == batch { // its events have its id too, but no name
			return it, nil
		}
	}
	return nil, errors.Join(err, fmt.Errorf("there is no such batch"))
}

// traffic is the reads and writes of users during a migration, and their errors.
type traffic struct {
	old    string      // the index that the operator queries until moved is set
	moved  atomic.Bool // the operator uses the service, which queries the new index
	rounds atomic.Int64
	stop   context.CancelFunc
	ended  chan struct{}
	failed []error // read it only after the traffic has ended
}

// startTraffic starts the traffic. In each round, each user reads and writes, and the operator lists all active
// batches.
func (w *world) startTraffic(ctx context.Context, first, second string) error {
	t := &w.migration.traffic
	going, stop := context.WithCancel(ctx)
	t.stop, t.ended = stop, make(chan struct{})
	w.OnClose(func(context.Context) error { stop(); return nil })
	go func() {
		defer close(t.ended)
		for going.Err() == nil {
			for _, user := range []string{first, second} {
				t.failed = append(t.failed, w.useKitchen(ctx, user))
			}
			t.failed = append(t.failed, w.listActive(ctx))
			t.rounds.Add(1)
		}
	}()
	return nil
}

// moveQueries switches to the new index, and returns when the last query of the old index has its response.
func (w *world) moveQueries(ctx context.Context) error {
	w.migration.traffic.moved.Store(true)
	return w.migration.traffic.another(ctx)
}

// another waits for one more complete round.
func (t *traffic) another(ctx context.Context) error {
	seen := t.rounds.Load()
	return steps.Await(ctx, steps.ResponseTimeout, func() (bool, error) { return t.rounds.Load() >= seen+2, nil })
}

// endTraffic ends the traffic after one more complete round.
func (w *world) endTraffic(ctx context.Context) error {
	t := &w.migration.traffic
	err := t.another(ctx)
	t.stop()
	<-t.ended
	return err
}

// useKitchen reads a user's batches and the timeline of each, and renames the user.
func (w *world) useKitchen(ctx context.Context, user string) error {
	as, err := w.Credential(user)
	if err != nil {
		return err
	}
	errs := []error{w.Send(ctx, as, http.MethodGet, "/batches", nil).Succeeded(), w.Send(ctx, as, http.MethodGet,
		"/reminders/upcoming", nil).Succeeded()}
	for id, name := range w.batches {
		if w.owners[name] == user {
			errs = append(errs, w.Send(ctx, as, http.MethodGet, "/batches/"+id+"/timeline", nil).Succeeded(),
				w.Send(ctx, as, http.MethodPatch, "/batches/"+id, map[string]string{"name": name}).Succeeded())
		}
	}
	return errors.Join(errs...)
}

// listActive lists all active batches with the index of the current phase, and checks that all are there.
func (w *world) listActive(ctx context.Context) error {
	if w.migration.traffic.moved.Load() {
		got, err := httpapi.Decode[struct{ Batches []any }](w.Send(ctx, httpapi.Bearer(adminToken), http.MethodGet,
			"/admin/batches?status=active", nil))
		if err == nil && len(got.Batches) != len(w.batches) {
			err = fmt.Errorf("the new index has %d of %d batches", len(got.Batches), len(w.batches))
		}
		return err
	}
	out, err := w.Once.Query(ctx, &dynamodb.QueryInput{
		TableName: w.Table(table), IndexName: &w.migration.traffic.old, KeyConditionExpression: aws.String("#s = :active"),
		ExpressionAttributeNames:  map[string]string{"#s": "status"},
		ExpressionAttributeValues: steps.Item{":active": &types.AttributeValueMemberS{Value: "active"}},
	})
	if err == nil && int(out.Count) != len(w.batches) {
		err = fmt.Errorf("the old index has %d of %d batches", out.Count, len(w.batches))
	}
	return err
}
