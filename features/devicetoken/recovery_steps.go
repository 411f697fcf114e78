package devicetoken

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/jobs/drill"
	"github.com/tabletop-db/tabletop/features/steps"
)

// bulkDeletion is a bulk deletion, and the state before it.
type bulkDeletion struct {
	at       time.Time
	items    []steps.Item
	recorded *drill.Fingerprint
	found    jobs.Summary // result of the drill
}

func (w *world) recovery(sc *godog.ScenarioContext) {
	sc.Step(`^everything in the table is deleted by mistake$`, w.deleteEverything)
	sc.Step(`^the table is restored to the second before the mistake, into "([^"]*)"$`,
		func(ctx context.Context, into string) error {
			return w.restore(ctx, drill.Plan{Keep: true, Copy: w.Prefix + into})
		})
	sc.Step(`^"([^"]*)" has every phone as it was before the mistake, and no other$`, w.hasEveryPhone)
	sc.Step(`^the table's contents are recorded$`, w.record)
	sc.Step(`^a drill restores the table to the second before the mistake$`, func(ctx context.Context) error {
		return w.restore(ctx, drill.Plan{Expect: w.mistake.recorded})
	})
	sc.Step(`^the drill reports (\d+) restored items, of which (\d+) had been deleted, and (\d+) new$`, w.drillFound)
	sc.Step(`^the restored contents are the recorded ones$`, func() error {
		if w.mistake.found.Counts[drill.Verified] != 1 {
			return fmt.Errorf("it found %v", w.mistake.found.Counts)
		}
		return nil
	})
}

// deleteEverything acts as a script that was meant for another table.
func (w *world) deleteEverything(ctx context.Context) (err error) {
	w.mistake.at = w.Clock.Now()
	if w.mistake.items, err = w.Items(ctx, table); err != nil {
		return err
	}
	var deletes []types.WriteRequest
	for _, it := range w.mistake.items {
		key := steps.Item{"userId": it["userId"], "deviceId": it["deviceId"]}
		deletes = append(deletes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key}})
	}
	_, err = w.Client.BatchWriteItem(ctx,
		&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{*w.Table(table): deletes}})
	return err
}

// restore runs a restore drill to the second before the mistake.
func (w *world) restore(ctx context.Context, p drill.Plan) (err error) {
	if err := jobs.Ensure(ctx, w.Client, w.Prefix); err != nil {
		return err
	}
	p.Table, p.At, p.Now, p.Wait = *w.Table(table), steps.Timestamp(w.mistake.at.Add(-time.Second)),
		w.Clock.Now(), shortPause
	cfg := jobs.Config{Client: w.Client, TablePrefix: w.Prefix, Now: w.Clock.Now, Wait: shortPause}
	w.mistake.found, err = jobs.New(cfg).Run(ctx, drill.Job(w.Client, p))
	return err
}

func (w *world) hasEveryPhone(ctx context.Context, copied string) error {
	got, err := w.Items(ctx, copied)
	if err != nil {
		return err
	}
	order := cmpopts.SortSlices(func(a, b steps.Item) bool { return fmt.Sprint(idOf(a)) < fmt.Sprint(idOf(b)) })
	if diff := cmp.Diff(w.mistake.items, got, order, cmpopts.IgnoreUnexported(types.AttributeValueMemberS{},
		types.AttributeValueMemberN{}, types.AttributeValueMemberBOOL{})); diff != "" {
		return fmt.Errorf("it has others (- before, + restored):\n%s", diff)
	}
	return nil
}

func idOf(it steps.Item) string {
	id, _ := it["deviceId"].(*types.AttributeValueMemberS)
	return id.Value
}

func (w *world) record(ctx context.Context) error {
	recorded, err := drill.Record(ctx, w.Client, *w.Table(table), w.Clock.Now)
	w.mistake.recorded = &recorded
	return err
}

func (w *world) drillFound(restored, gone, fresh int64) error {
	got := w.mistake.found.Counts
	if got[drill.Restored] != restored || got[drill.Gone] != gone || got[drill.New] != fresh || got[drill.Changed] != 0 {
		return fmt.Errorf("it found %v", got)
	}
	return nil
}
