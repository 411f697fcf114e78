package dynamo

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/transfer"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// pacedObjects have one bucket with one object, source. They count the writes of objects that are done in paced steps.
type pacedObjects struct {
	pool   *budget.Pool
	source []byte
	paced  *atomic.Int64
}

func (pacedObjects) HasBucket(string) (bool, error) { return true, nil }

func (pacedObjects) Keys(string, string) ([]string, error) { return []string{"source"}, nil }

func (o pacedObjects) Size(string, string) (int64, error) { return int64(len(o.source)), nil }

func (o pacedObjects) Open(string, string) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(o.source)), nil
}

func (o pacedObjects) Create(string, string) (transfer.ObjectWriter, error) {
	return &pacedObject{o}, nil
}

type pacedObject struct{ pacedObjects }

func (o *pacedObject) Write(p []byte) (int, error) {
	if o.pool.Pacing() {
		o.paced.Add(1)
	}
	return len(p), nil
}

func (*pacedObject) MD5() []byte { return make([]byte, 16) }

func (*pacedObject) Commit(string) error { return nil }

func (*pacedObject) Abort() {}

// pacedItems is how many items of 300 KB the table has: a step reads one.
const pacedItems = 4

// pacedItem returns the text of an item that cannot be compressed much.
func pacedItem(n int) string {
	var text strings.Builder
	for x := uint64(n + 1); text.Len() < 300_000; x = x*6364136223846793005 + 1442695040888963407 {
		fmt.Fprintf(&text, "%016x", x)
	}
	return fmt.Sprintf(`{"id":{"S":"%d"},"data":{"S":"%s"}}`, n, &text)
}

// newPacedTest returns a service with a table orders, and counts the paced steps that update the store or write
// objects.
func newPacedTest(t *testing.T) (s *Service, now *clock.Clock, paced *atomic.Int64) {
	t.Helper()
	pool, paced := budget.NewPool(budget.DefaultPool), new(atomic.Int64)
	state, err := store.Open(store.Options{Pause: func() {
		if pool.Pacing() {
			paced.Add(1)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	var source bytes.Buffer
	packer := gzip.NewWriter(&source)
	for n := range pacedItems {
		fmt.Fprintf(packer, `{"Item":%s}`+"\n", pacedItem(n))
	}
	if err := packer.Close(); err != nil {
		t.Fatal(err)
	}
	now = clock.Manual(time.Unix(1_800_000_000, 0))
	s, err = New(Config{Store: state, Clock: now, Pool: pool, Objects: pacedObjects{pool, source.Bytes(), paced}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), state.Close()); err != nil {
			t.Error(err)
		}
	})
	mustRun(t, s, "CreateTable", orders)
	mustRun(t, s, "UpdateContinuousBackups", `{"TableName":"orders",
		"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	for n := range pacedItems {
		mustRun(t, s, "PutItem", `{"TableName":"orders","Item":`+pacedItem(n)+`}`)
	}
	return s, now, paced
}

// TestWorkOnMuchDataIsPaced counts the steps in which backups, restores, exports, imports and new indexes are done.
// Whatever does not leave time to other requests, is not counted.
func TestWorkOnMuchDataIsPaced(t *testing.T) {
	t.Parallel()
	s, now, paced := newPacedTest(t)
	if err := now.Advance(15 * time.Minute); err != nil {
		t.Fatal(err)
	}
	for n := range pacedItems { // what a restore to an earlier time undoes
		mustRun(t, s, "PutItem", `{"TableName":"orders","Item":`+pacedItem(n+pacedItems)+`}`)
		mustRun(t, s, "DeleteItem", fmt.Sprintf(`{"TableName":"orders","Key":{"id":{"S":"%d"}}}`, n))
	}
	const from = `{"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/orders","S3Bucket":"exports"`
	const source = `{"ClientToken":"t","S3BucketSource":{"S3Bucket":"imports"},"InputFormat":"DYNAMODB_JSON",` +
		`"InputCompressionType":"GZIP","TableCreationParameters":`
	for _, c := range []struct {
		operation, body string
		steps           int64 // at least, for each item
	}{
		{"CreateBackup", `{"TableName":"orders","BackupName":"one"}`, 1},
		// A copy of the table, the changes that are undone, and the counts of the new table.
		{"RestoreTableToPointInTime", `{"SourceTableName":"orders","TargetTableName":"earlier","RestoreDateTime":1800000000}`,
			3},
		{"ExportTableToPointInTime", from + `}`, 1},
		{"ExportTableToPointInTime", from + `,"ExportTime":1800000000}`, 3},
		{"ExportTableToPointInTime", from + `,"ExportType":"INCREMENTAL_EXPORT","IncrementalExportSpecification":` +
			`{"ExportFromTime":1800000000,"ExportToTime":1800000900,"ExportViewType":"NEW_IMAGE"}}`, 1},
		{"ImportTable", source + strings.Replace(orders, "orders", "imported", 1) + `}`, 2},
		{"UpdateTable", `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"data","AttributeType":"S"}],` +
			`"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-data","Projection":{"ProjectionType":"ALL"},` +
			`"KeySchema":[{"AttributeName":"data","KeyType":"HASH"}]}}]}`, 1},
	} {
		before, req := paced.Load(), requestFor(s.engine.SharedAccount.Load())
		req.Context = t.Context()
		if _, err := runOperation(s, req, c.operation, []byte(c.body), nil); err != nil {
			t.Fatalf("%s: %v", c.operation, err)
		}
		await.True(t, fmt.Sprintf("%s does %d paced steps", c.operation, c.steps*pacedItems), func() bool {
			return paced.Load()-before >= c.steps*pacedItems
		})
	}
}
