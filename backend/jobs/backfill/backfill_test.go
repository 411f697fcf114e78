package backfill_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/jobs/backfill"
	"github.com/tabletop-db/tabletop/backend/tables"
)

const table = "orders"

// world has 30 items; every third is not an order, and every other one has its key already.
type world struct {
	t      *testing.T
	client *dynamodb.Client
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t, dynamodb.NewFromConfig(dbtest.Config(t))}
	all := append(jobs.Schema("").Tables, tables.Table{Create: tables.OnDemand(table, tables.Hash("id"))})
	if err := tables.Create(t.Context(), w.client, all); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		it := ddb.Item{"id": ddb.Str(fmt.Sprintf("%02d", i)), "state": ddb.Str("open")}
		switch i % 3 {
		case 0:
			delete(it, "state")
		case 1:
			it["index"] = ddb.Str("STATE#there")
		}
		w.put(it)
	}
	return w
}

func (w *world) put(it ddb.Item) {
	if _, err := w.client.PutItem(w.t.Context(), &dynamodb.PutItemInput{TableName: aws.String(table),
		Item: it}); err != nil {
		w.t.Error(err)
	}
}

func missing(it ddb.Item) ddb.Item {
	if it["state"] == nil || it["index"] != nil {
		return nil
	}
	return ddb.Item{"index": ddb.Str("STATE#" + ddb.Text(it["state"]))}
}

func (w *world) job(client *dynamodb.Client) jobs.Job {
	return backfill.Job(client, backfill.Plan{Table: table, Key: []string{"id"}, Missing: missing,
		From: []string{"state"}}, 3)
}

func (w *world) index(id string) string {
	out, err := w.client.GetItem(w.t.Context(), &dynamodb.GetItemInput{TableName: aws.String(table),
		Key: ddb.Item{"id": ddb.Str(id)}})
	if err != nil {
		w.t.Error(err)
	}
	return ddb.Text(out.Item["index"])
}

func TestBackfill(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dry, err := jobs.New(jobs.Config{Client: w.client, DryRun: true}).Run(t.Context(), w.job(w.client))
	if err != nil || dry.Counts[backfill.Lacking] != 10 || w.index("02") != "" {
		t.Errorf("%+v, %v", dry, err)
	}
	for _, want := range []int64{10, 0} {
		s, err := jobs.New(jobs.Config{Client: w.client, Restart: true}).Run(t.Context(), w.job(w.client))
		if err != nil || s.Counts[backfill.Scanned] != 30 || s.Counts[backfill.Filled] != want ||
			w.index("02") != "STATE#open" || w.index("01") != "STATE#there" {
			t.Errorf("%+v, %v", s, err)
		}
	}
}

// An item that others change, fill or delete during the backfill ends with the key of its current state.
func TestConcurrentWriters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	meanwhile := map[string]func(){
		// by a program that does not know the key
		"02": func() { w.put(ddb.Item{"id": ddb.Str("02"), "state": ddb.Str("paid")}) },
		"05": func() {
			w.put(ddb.Item{"id": ddb.Str("05"), "state": ddb.Str("paid"), "index": ddb.Str("STATE#paid")})
		},
		"08": func() {
			_, _ = w.client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(table),
				Key: ddb.Item{"id": ddb.Str("08")}})
		},
	}
	var once sync.Once
	s, err := jobs.New(jobs.Config{Client: w.client}).Run(t.Context(),
		w.job(dbtest.Before(w.client, "UpdateItem", func() error {
			once.Do(func() {
				for _, change := range meanwhile {
					change()
				}
			})
			return nil
		})))
	if err != nil || s.Counts[backfill.Filled]+s.Counts[backfill.Kept] != s.Counts[backfill.Lacking] {
		t.Fatalf("%+v, %v", s, err)
	}
	for id, want := range map[string]string{"02": "STATE#paid", "05": "STATE#paid", "08": "", "11": "STATE#open"} {
		if got := w.index(id); got != want {
			t.Errorf("%s has %q, not %q", id, got, want)
		}
	}
}

func TestResumes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	remaining := 3
	cut := dbtest.Before(w.client, "UpdateItem", func() error {
		if remaining--; remaining < 0 {
			return errors.New("the line is cut")
		}
		return nil
	})
	if _, err := jobs.New(jobs.Config{Client: w.client, Workers: 1}).Run(t.Context(), w.job(cut)); !errors.Is(err,
		ddb.ErrUnreachable) {
		t.Fatal(err)
	}
	s, err := jobs.New(jobs.Config{Client: w.client}).Run(context.WithoutCancel(t.Context()), w.job(w.client))
	if err != nil || !s.Resumed || w.count() != 20 {
		t.Errorf("%+v, %v: %d", s, err, w.count())
	}
}

// count returns the number of items that have the key.
func (w *world) count() int32 {
	out, err := w.client.Scan(w.t.Context(), &dynamodb.ScanInput{
		TableName: aws.String(table), Select: types.SelectCount, FilterExpression: aws.String("attribute_exists(#i)"),
		ExpressionAttributeNames: map[string]string{"#i": "index"},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out.Count
}
