package dynamo_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
)

// endlessBulk has an object without an end, and discards what is written to it.
type endlessBulk struct{ endlessObjects }

func (endlessBulk) Size(string, string) (int64, error) { return 1 << 30, nil }

func (o endlessBulk) Open(string, string) (io.ReadCloser, error) { return io.NopCloser(o), nil }

func (endlessBulk) Create(string, string) (dynamo.ObjectWriter, error) {
	return discardedObject{io.Discard}, nil
}

type discardedObject struct{ io.Writer }

func (discardedObject) MD5() []byte         { return nil }
func (discardedObject) Commit(string) error { return nil }
func (discardedObject) Abort()              {}

// bulkStatus is what tests need of a description.
type bulkStatus struct {
	BulkOperationArn, BulkOperationStatus, FailureCode, FailureMessage string
	ProcessedItemCount, ProcessedInputBytes                            int64
}

const putEndless = `{"TableName":"orders","InputS3Configuration":{"S3Bucket":"in","InputFormat":"DYNAMODB_JSON"},
	"OutputS3Configuration":{"S3Bucket":"out","OutputType":["ERROR"]}}`

// startEndless starts a bulk operation that does not end, and whose client gives up at once.
func (c *conversation) startEndless(t *testing.T, ctx context.Context) {
	t.Helper()
	c.post(target("CreateTable"), ordersTable)
	r := httptest.NewRequestWithContext(ctx, "POST", "/", strings.NewReader(putEndless))
	sign(r, target("StartBulkPutItems"))
	c.service.ServeHTTP(httptest.NewRecorder(), r)
}

// onlyBulk describes the only bulk operation.
func (c *conversation) onlyBulk(t *testing.T) bulkStatus {
	t.Helper()
	var list struct{ BulkOperationsSummaryList []bulkStatus }
	if err := json.Unmarshal(c.post(target("ListBulkOperations"), `{}`).Body.Bytes(), &list); err != nil ||
		len(list.BulkOperationsSummaryList) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	var out struct{ BulkOperationDescription bulkStatus }
	answer := c.post(target("DescribeBulkOperation"),
		`{"BulkOperationArn":"`+list.BulkOperationsSummaryList[0].BulkOperationArn+`"}`).Body.Bytes()
	if err := json.Unmarshal(answer, &out); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	return out.BulkOperationDescription
}

// waitForBulk waits until a status is not that of an operation in progress.
func (c *conversation) waitForBulk(t *testing.T, while func(bulkStatus) bool) bulkStatus {
	t.Helper()
	for {
		if d := c.onlyBulk(t); !while(d) {
			return d
		}
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBulkOperationsAreCancelledInTheMiddle: a bulk operation counts its progress; when it is cancelled, it stops, and
// what it has written stays.
func TestBulkOperationsAreCancelledInTheMiddle(t *testing.T) {
	t.Parallel()
	ctx, asked := context.WithCancel(t.Context())
	c := newConversationWith(t, dynamo.Config{Objects: endlessBulk{endlessObjects{asked: asked}}})
	c.startEndless(t, ctx)
	d := c.waitForBulk(t, func(d bulkStatus) bool { return d.ProcessedItemCount == 0 })
	if d.BulkOperationStatus != "IN_PROGRESS" || d.ProcessedInputBytes == 0 {
		t.Errorf("%+v", d)
	}
	arn := `{"BulkOperationArn":"` + d.BulkOperationArn + `"}`
	if got := c.post(target("CancelBulkOperation"), arn).Body.String(); !strings.Contains(got, `"CANCELLING"`) {
		t.Fatal(got)
	}
	d = c.waitForBulk(t, func(d bulkStatus) bool { return d.BulkOperationStatus == "CANCELLING" })
	if d.BulkOperationStatus != "CANCELLED" || d.FailureCode != "OperationCancelled" || d.ProcessedItemCount == 0 {
		t.Errorf("%+v", d)
	}
	if got := c.post(target("GetItem"), `{"TableName":"orders","Key":{"id":{"S":"a"}}}`).Body.String(); got !=
		`{"Item":{"id":{"S":"a"}}}` {
		t.Error(got)
	}
	if got := c.post(target("CancelBulkOperation"), arn).Body.String(); !strings.Contains(got, "not in progress") {
		t.Error(got)
	}
}

// TestBulkOperationsFollowTheirTable: an operation goes on when the definition of its table changes, and fails when the
// table is deleted.
func TestBulkOperationsFollowTheirTable(t *testing.T) {
	t.Parallel()
	ctx, asked := context.WithCancel(t.Context())
	c := newConversationWith(t, dynamo.Config{Objects: endlessBulk{endlessObjects{asked: asked}}})
	c.startEndless(t, ctx)
	c.post(target("UpdateTimeToLive"),
		`{"TableName":"orders","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`)
	before := c.onlyBulk(t)
	if d := c.waitForBulk(t, func(d bulkStatus) bool {
		return d.ProcessedItemCount <= before.ProcessedItemCount
	}); d.BulkOperationStatus != "IN_PROGRESS" {
		t.Fatalf("%+v", d)
	}
	c.post(target("DeleteTable"), `{"TableName":"orders"}`)
	d := c.waitForBulk(t, func(d bulkStatus) bool { return d.BulkOperationStatus == "IN_PROGRESS" })
	if d.BulkOperationStatus != "FAILED" || d.FailureCode != "ResourceNotFoundException" || d.ProcessedItemCount == 0 {
		t.Errorf("%+v", d)
	}
}

// TestInterruptedBulkOperationsFail starts a second process on the store of one that was killed, or closed, in the
// middle of a bulk operation.
func TestInterruptedBulkOperationsFail(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{true, false} {
		p := newProcesses(t)
		ctx, asked := context.WithCancel(t.Context())
		first := p.start(t, endlessBulk{endlessObjects{asked: asked}})
		first.startEndless(t, ctx)
		if !killed {
			if err := first.service.Close(); err != nil {
				t.Fatal(err)
			}
		}
		next := p.start(t, nil)
		if d := next.onlyBulk(t); d.BulkOperationStatus != "FAILED" ||
			d.FailureMessage != "The emulator stopped before the job was done." {
			t.Errorf("killed: %t: %+v", killed, d)
		}
		p.end(t, killed)
	}
}

// brokenBulk panics when its object is opened.
type brokenBulk struct{ endlessBulk }

func (brokenBulk) Open(string, string) (io.ReadCloser, error) { panic("broken") }

// TestBulkOperationsThatPanicFail: a bug fails a bulk operation, and not the process.
func TestBulkOperationsThatPanicFail(t *testing.T) {
	t.Parallel()
	c := newConversationWith(t, dynamo.Config{Objects: brokenBulk{}})
	c.post(target("CreateTable"), ordersTable)
	c.post(target("StartBulkPutItems"), putEndless)
	if d := c.onlyBulk(t); d.BulkOperationStatus != "FAILED" || d.FailureCode != "InternalServerError" {
		t.Errorf("%+v", d)
	}
}
