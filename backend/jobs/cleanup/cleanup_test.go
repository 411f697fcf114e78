package cleanup_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/jobs/cleanup"
	"github.com/tabletop-db/tabletop/backend/tables"
)

const table = "photoeditor-dev-device-tokens"

// world has 40 devices; every fourth is inactive and old.
type world struct {
	client *dynamodb.Client
	now    time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	cfg := dbtest.Config(t)
	w := &world{client: dynamodb.NewFromConfig(cfg), now: dbtest.Start()}
	all := append(jobs.Schema("").Tables,
		tables.Table{Create: tables.OnDemand(table, tables.HashAndRange("userId", "deviceId"))})
	if err := tables.Create(t.Context(), w.client, all); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		w.put(t, i, i%2 == 1, time.Duration(i%4+29)*24*time.Hour) // 29 to 32 days old; even ones are inactive
	}
	return w
}

func (w *world) put(t *testing.T, i int, active bool, age time.Duration) {
	t.Helper()
	_, err := w.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: ddb.Item{
		"userId": ddb.Str(fmt.Sprint("user-", i/2)), "deviceId": ddb.Str(fmt.Sprint(i)),
		"isActive":  &types.AttributeValueMemberBOOL{Value: active},
		"updatedAt": ddb.Str(w.now.Add(-age).Format(time.RFC3339)),
	}})
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) config() jobs.Config {
	return jobs.Config{Client: w.client, Now: func() time.Time { return w.now }}
}

func (w *world) itemCount(t *testing.T) int32 {
	t.Helper()
	out, err := w.client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String(table), Select: "COUNT"})
	if err != nil {
		t.Fatal(err)
	}
	return out.Count
}

func TestCleanup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dry := w.config()
	dry.DryRun = true
	s, err := jobs.New(dry).Run(t.Context(), cleanup.Job(w.client, table, w.now, 3))
	if err != nil || s.Counts["found"] != 10 || s.Counts["deleted"] != 0 || w.itemCount(t) != 40 {
		t.Fatalf("a dry run: %+v, %v; %d are left", s, err, w.itemCount(t))
	}
	s, err = jobs.New(w.config()).Run(t.Context(), cleanup.Job(w.client, table, w.now, 3))
	if err != nil || s.Counts["scanned"] != 40 || s.Counts["deleted"] != 10 || s.Counts["kept"] != 0 ||
		w.itemCount(t) != 30 {
		t.Errorf("%+v, %v; %d are left", s, err, w.itemCount(t))
	}
}

// A device that comes back between the Scan and the delete is kept.
func TestReregisteredDeviceIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var back atomic.Bool
	disturbed := dbtest.Before(w.client, "DeleteItem", func() error {
		if back.CompareAndSwap(false, true) {
			w.put(t, 2, true, 0)
		}
		return nil
	})
	s, err := jobs.New(w.config()).Run(t.Context(), cleanup.Job(disturbed, table, w.now, 1))
	if err != nil || s.Counts["found"] != 10 || s.Counts["deleted"]+s.Counts["kept"] != 10 || s.Counts["kept"] > 1 {
		t.Errorf("%+v, %v", s, err)
	}
	out, err := w.client.GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String(table), Key: ddb.Item{"userId": ddb.Str("user-1"), "deviceId": ddb.Str("2")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if active, ok := out.Item["isActive"].(*types.AttributeValueMemberBOOL); !ok || !active.Value {
		t.Errorf("%v", out.Item)
	}
}

// A job that fails reports why, and the next one resumes it.
func TestResumesAfterFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var deletes atomic.Int64
	cut := dbtest.Before(w.client, "DeleteItem", func() error {
		if deletes.Add(1) > 3 {
			return errors.New("the line is cut")
		}
		return nil
	})
	if _, err := jobs.New(w.config()).Run(t.Context(), cleanup.Job(cut, table, w.now, 2)); !errors.Is(err,
		ddb.ErrUnreachable) {
		t.Fatal(err)
	}
	w.now = w.now.Add(48 * time.Hour) // the run keeps its cutoff
	s, err := jobs.New(w.config()).Run(context.WithoutCancel(t.Context()), cleanup.Job(w.client, table, w.now, 9))
	if err != nil || !s.Resumed || s.Segments != 2 || w.itemCount(t) != 30 {
		t.Errorf("%+v, %v; %d are left", s, err, w.itemCount(t))
	}
}
