package drill_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/jobs/drill"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/emulator"
)

const table = "orders"

// world is an emulator whose clock advances with the drill's pauses, and a table of 250 items with point-in-time
// recovery.
type world struct {
	t        *testing.T
	emulator *emulator.Emulator
	client   *dynamodb.Client
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, emulator: emulator.Run(t, emulator.WithManualClock(dbtest.Start()))}
	w.client = dynamodb.NewFromConfig(w.emulator.AWSConfig())
	all := append(jobs.Schema("").Tables, tables.Table{Create: tables.OnDemand(table, tables.HashAndRange("who", "what"))})
	w.must(tables.Create(t.Context(), w.client, all))
	_, err := w.client.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{
		TableName: aws.String(table), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true)},
	})
	w.must(err)
	var puts []types.WriteRequest
	for i := range 250 {
		puts = append(puts, ddb.Put(item(i, i)))
	}
	w.must(ddb.WriteAll(t.Context(), w.client, table, puts, w.wait))
	return w
}

func item(i, value int) ddb.Item {
	return ddb.Item{
		"who": ddb.Str(fmt.Sprint(i % 7)), "what": ddb.Str(fmt.Sprint(i)), "value": ddb.Number(value),
		"tags": &types.AttributeValueMemberSS{Value: []string{"b", "a"}},
		"list": &types.AttributeValueMemberL{Value: []types.AttributeValue{ddb.Str("x")}},
	}
}

func (w *world) wait(_ context.Context, d time.Duration) error { return w.emulator.Advance(d) }

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) advance(d time.Duration) { w.must(w.emulator.Advance(d)) }

func (w *world) run(ctx context.Context, p drill.Plan) (jobs.Summary, error) {
	p.Table, p.Now, p.Wait = table, w.emulator.Now(), w.wait
	return jobs.New(jobs.Config{Client: w.client, Now: w.emulator.Now, Wait: w.wait, RepeatAfter: time.Second}).Run(ctx,
		drill.Job(w.client, p))
}

func (w *world) tables() int {
	out, err := w.client.ListTables(w.t.Context(), nil)
	w.must(err)
	return len(out.TableNames)
}

// A drill to the time of a fingerprint matches it, whatever changed in the table since.
func TestDrill(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	recorded, err := drill.Record(t.Context(), w.client, table, w.emulator.Now)
	w.must(err)
	w.advance(time.Hour)
	w.must(ddb.WriteAll(t.Context(), w.client, table, []types.WriteRequest{
		ddb.Delete(ddb.Item{"who": ddb.Str("1"), "what": ddb.Str("1")}), ddb.Put(item(2, 0)), ddb.Put(item(3, 0)),
		ddb.Put(item(250, 1)),
	}, w.wait))
	w.advance(10 * time.Minute)
	s, err := w.run(t.Context(), drill.Plan{At: recorded.At, Expect: &recorded})
	w.must(err)
	want := map[string]int64{drill.Restored: 250, drill.Same: 247, drill.Changed: 2, drill.Gone: 1, drill.New: 1,
		drill.Verified: 1}
	for name, n := range want {
		if s.Counts[name] != n {
			t.Errorf("%s is %d, not %d", name, s.Counts[name], n)
		}
	}
	if n := w.tables(); n != 2 {
		t.Errorf("%d tables are left", n)
	}
	w.advance(time.Minute)
	s, err = w.run(t.Context(), drill.Plan{At: drill.Latest, Expect: &recorded, Keep: true, Copy: "rescued"})
	if err != nil || s.Counts[drill.Differs] != 1 || s.Counts[drill.Same] != 250 || w.tables() != 3 {
		t.Errorf("%+v, %v, %d tables", s, err, w.tables())
	}
}

// An interrupted drill resumes with its copy and deletes it.
func TestInterruptedDrill(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.advance(time.Hour)
	for calls := 1; ; calls++ {
		ctx, stop := context.WithCancel(t.Context())
		p := drill.Plan{Table: table, At: drill.Latest, Now: w.emulator.Now(), Wait: w.wait}
		job, remaining := drill.Job(w.client, p), calls
		step := job.Step
		job.Step = func(ctx context.Context, at jobs.StepInput) (jobs.StepResult, error) {
			if remaining--; remaining == 0 {
				stop()
			}
			return step(ctx, at)
		}
		_, err := jobs.New(jobs.Config{Client: w.client, Now: w.emulator.Now, Wait: w.wait,
			RepeatAfter: time.Second}).Run(ctx,
			job)
		stop()
		if err == nil {
			break
		}
		w.advance(2 * time.Minute)
		s, err := w.run(t.Context(), drill.Plan{At: drill.Latest})
		if err != nil || s.Counts[drill.Same] != 250 || s.Counts[drill.New] != 0 || w.tables() != 2 {
			t.Fatalf("stopped at step %d: %+v, %v, %d tables", calls, s, err, w.tables())
		}
		w.advance(time.Minute)
	}
}

func TestUnrestorableTables(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.advance(time.Hour)
	if _, err := w.run(t.Context(), drill.Plan{At: "yesterday"}); err == nil {
		t.Error("a moment that is none is restored")
	}
	_, err := w.client.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{
		TableName: aws.String(table), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(false)},
	})
	w.must(err)
	cfg := jobs.Config{Client: w.client, Now: w.emulator.Now, Wait: w.wait, Restart: true}
	if _, err := jobs.New(cfg).Run(t.Context(), drill.Job(w.client, drill.Plan{Table: table, At: drill.Latest,
		Now: w.emulator.Now()})); !errors.Is(err, drill.ErrNoRecovery) {
		t.Error(err)
	}
	cfg.DryRun = true
	if _, err := jobs.New(cfg).Run(t.Context(),
		drill.Job(w.client, drill.Plan{Table: table, At: drill.Latest})); !errors.Is(err, drill.ErrNoRecovery) {
		t.Error(err)
	}
}

// An existing table is not mistaken for the copy.
func TestCopyExists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.advance(time.Hour)
	rescue := drill.Plan{At: drill.Latest, Keep: true, Copy: "rescued"}
	if _, err := w.run(t.Context(), rescue); err != nil {
		t.Fatal(err)
	}
	w.advance(time.Hour)
	if s, err := w.run(t.Context(), rescue); !errors.Is(err, drill.ErrCopyExists) || s.Counts[drill.Restored] != 0 {
		t.Errorf("restored into a table that was there: %+v, %v", s, err)
	}
}
