package dynamo_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// slowObjects have one bucket. A request for it waits until answered is closed.
type slowObjects struct {
	dynamo.Objects
	asked    context.CancelFunc
	answered chan struct{}
}

func (o slowObjects) HasBucket(string) (bool, error) {
	o.asked()
	<-o.answered
	return false, nil
}

// processes are services that run one after the other on one store.
type processes struct {
	store *store.Store
	all   []*conversation
}

func newProcesses(t *testing.T) *processes {
	t.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &processes{store: s}
}

// start starts the next service.
func (p *processes) start(t *testing.T, objects dynamo.Objects) *conversation {
	t.Helper()
	c := &conversation{clock: clock.Manual(conversationStart)}
	var err error
	if c.service, err = dynamo.New(dynamo.Config{Store: p.store, Clock: c.clock, Seed: 1, Objects: objects}); err != nil {
		t.Fatal(err)
	}
	p.all = append(p.all, c)
	return c
}

// end closes the last service and the store, and the first service if it was killed, which is not closed yet. That one
// may fail: another process has changed its store.
func (p *processes) end(t *testing.T, killed bool) {
	t.Helper()
	if err := p.all[len(p.all)-1].service.Close(); err != nil {
		t.Error(err)
	}
	if killed {
		_ = p.all[0].service.Close()
	}
	if err := p.store.Close(); err != nil {
		t.Error(err)
	}
}

// TestInterruptedExportsFail starts a second process on the store of one that is stopped in the middle of an export.
func TestInterruptedExportsFail(t *testing.T) {
	t.Parallel()
	p := newProcesses(t)
	ctx, cancel := context.WithCancel(t.Context())
	objects := slowObjects{asked: cancel, answered: make(chan struct{})}
	killed := p.start(t, objects)
	killed.post(target("CreateTable"), `{"TableName":"orders",
		"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`)
	killed.post(target("UpdateContinuousBackups"), `{"TableName":"orders",
		"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(
		`{"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/orders","S3Bucket":"exports"}`))
	sign(r, "DynamoDB_20120810.ExportTableToPointInTime")
	w := httptest.NewRecorder()
	killed.service.ServeHTTP(w, r) // the client gives up when the export is in progress

	next := p.start(t, nil)
	var list struct{ ExportSummaries []struct{ ExportArn string } }
	if err := json.Unmarshal(next.post(target("ListExports"), `{}`).Body.Bytes(), &list); err != nil ||
		len(list.ExportSummaries) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	answer := next.post(target("DescribeExport"), `{"ExportArn":"`+list.ExportSummaries[0].ExportArn+`"}`).Body.String()
	if !strings.Contains(answer, `"FailureMessage":"The emulator stopped before the job was done."`) ||
		!strings.Contains(answer, `"ExportStatus":"FAILED"`) {
		t.Error(answer)
	}
	close(objects.answered)
	p.end(t, true)
}

// endlessObjects have one bucket with one object, of items without an end. asked is called when it is read.
type endlessObjects struct {
	dynamo.Objects
	asked context.CancelFunc
}

func (endlessObjects) HasBucket(string) (bool, error) { return true, nil }

func (endlessObjects) Keys(string, string) ([]string, error) { return []string{"items"}, nil }

func (o endlessObjects) Open(string, string) (io.ReadCloser, error) { return io.NopCloser(o), nil }

func (o endlessObjects) Read(p []byte) (int, error) {
	o.asked()
	return copy(p, `{"Item":{"id":{"S":"a"}}}`+"\n"), nil
}

// TestInterruptedImportsFail imports without an end in a process that a second one follows: after the first was killed,
// which leaves what it had written, or was closed. The import has failed, there is no table, and its name can be used.
func TestInterruptedImportsFail(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{true, false} {
		p := newProcesses(t)
		ctx, cancel := context.WithCancel(t.Context())
		first := p.start(t, endlessObjects{asked: cancel})
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(`{"ClientToken":"t",
			"S3BucketSource":{"S3Bucket":"imports"},"InputFormat":"DYNAMODB_JSON","TableCreationParameters":`+
			strings.TrimSpace(ordersTable)+"}"))
		sign(r, target("ImportTable"))
		first.service.ServeHTTP(httptest.NewRecorder(), r) // the client gives up when the import is in progress
		if !killed {
			if err := first.service.Close(); err != nil {
				t.Fatal(err)
			}
		}
		next := p.start(t, nil)
		var list struct{ ImportSummaryList []struct{ ImportArn string } }
		if err := json.Unmarshal(next.post(target("ListImports"), `{}`).Body.Bytes(), &list); err != nil ||
			len(list.ImportSummaryList) != 1 {
			t.Fatalf("%+v, %v", list, err)
		}
		answer := next.post(target("DescribeImport"), `{"ImportArn":"`+list.ImportSummaryList[0].ImportArn+`"}`).Body.String()
		if !strings.Contains(answer, `"FailureMessage":"The emulator stopped before the job was done."`) ||
			!strings.Contains(answer, `"ImportStatus":"FAILED"`) || !strings.Contains(answer, `"ImportedItemCount":0`) {
			t.Error(answer)
		}
		if answer := next.post(target("DescribeTable"), `{"TableName":"orders"}`); answer.Code != http.StatusBadRequest {
			t.Error(answer.Body)
		}
		if answer := next.post(target("CreateTable"), ordersTable); answer.Code != http.StatusOK {
			t.Error(answer.Body)
		}
		p.end(t, killed)
	}
}

// brokenObjects have one bucket with one object, and panic when it is opened.
type brokenObjects struct{ endlessObjects }

func (brokenObjects) Open(string, string) (io.ReadCloser, error) { panic("broken") }

func (brokenObjects) Create(string, string) (dynamo.ObjectWriter, error) { panic("broken") }

// TestTransfersThatPanicFail: a bug fails an export or an import, and not the process; no table is left.
func TestTransfersThatPanicFail(t *testing.T) {
	t.Parallel()
	c := newConversationWith(t, dynamo.Config{Objects: brokenObjects{}})
	c.post(target("CreateTable"), strings.Replace(ordersTable, "orders", "source", 1))
	c.post(target("UpdateContinuousBackups"), `{"TableName":"source",
		"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	c.post(target("ExportTableToPointInTime"), `{"S3Bucket":"exports",
		"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/source"}`)
	c.post(target("ImportTable"), `{"ClientToken":"t","S3BucketSource":{"S3Bucket":"imports"},
		"InputFormat":"DYNAMODB_JSON","TableCreationParameters":`+ordersTable+"}")
	for _, list := range []string{"ListExports", "ListImports"} {
		if answer := c.post(target(list), `{}`).Body.String(); !strings.Contains(answer, `Status":"FAILED"`) {
			t.Error(answer)
		}
	}
	if answer := c.post(target("CreateTable"), ordersTable); answer.Code != http.StatusOK {
		t.Error(answer.Body)
	}
}

const ordersTable = `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`

// panickingObjects have one bucket, and panic when it is listed.
type panickingObjects struct{ dynamo.Objects }

func (panickingObjects) HasBucket(string) (bool, error)        { return true, nil }
func (panickingObjects) Keys(string, string) ([]string, error) { panic("broken") }

// TestAPanickingImportFails: a bug ends an import, and neither the process nor later imports of the table.
func TestAPanickingImportFails(t *testing.T) {
	t.Parallel()
	c := newConversationWith(t, dynamo.Config{Objects: panickingObjects{}})
	var started struct{ ImportTableDescription struct{ ImportArn string } }
	answer := c.post(target("ImportTable"), `{"ClientToken":"t","S3BucketSource":{"S3Bucket":"imports"},
		"InputFormat":"DYNAMODB_JSON","TableCreationParameters":`+strings.TrimSpace(ordersTable)+"}").Body.Bytes()
	if err := json.Unmarshal(answer, &started); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	got := c.post(target("DescribeImport"), `{"ImportArn":"`+started.ImportTableDescription.ImportArn+`"}`).Body.String()
	if !strings.Contains(got, `"ImportStatus":"FAILED"`) ||
		!strings.Contains(got, `"FailureMessage":"The emulator has a bug; its log has the details."`) {
		t.Error(got)
	}
	c.post(target("CreateTable"), ordersTable)
}
