package verification

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/webtest"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/backend/verification/pii"
	"github.com/tabletop-db/tabletop/backend/verification/uploads"
	"github.com/tabletop-db/tabletop/internal/testutil/textlog"
)

const adminToken = "an-admin-token-for-tests"

// world is a verification service of its own, with its own table, clock and log, on a real socket.
type world struct {
	t       *testing.T
	service *Service
	client  *dynamodb.Client
	prefix  string
	server  *httptest.Server
	issuer  *auth.Issuer
	log     *textlog.Log
	clock   atomic.Pointer[time.Time]
	key     string // of a client
}

// newWorld creates the table and one API key in a database of the test's own.
func newWorld(t *testing.T, options ...func(*Config)) *world {
	t.Helper()
	w := newWorldOn(t, dbtest.Config(t), uuid.NewString()[:8]+"-", options...)
	w.key = w.newKey()
	return w
}

// newWorldOn creates the table in a database. Pauses take no time and do not advance the clock.
func newWorldOn(t *testing.T, db aws.Config, prefix string, options ...func(*Config)) *world {
	t.Helper()
	w := &world{t: t, prefix: prefix, log: &textlog.Log{}}
	db.Region = Region
	w.client = dynamodb.NewFromConfig(db)
	start := dbtest.Start()
	w.clock.Store(&start)
	schema := Schema(w.prefix).Tables
	if err := tables.Create(t.Context(), w.client, schema); err != nil {
		t.Fatal(err)
	}
	var err error
	if w.issuer, err = auth.NewIssuer(w.now); err != nil {
		t.Fatal(err)
	}
	cfg := w.config(t)
	for _, option := range options {
		option(&cfg)
	}
	if w.service, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	if err := w.service.Mount(mux); err != nil {
		t.Fatal(err)
	}
	w.server = httptest.NewServer(mux)
	t.Cleanup(w.server.Close)
	return w
}

func (w *world) config(t *testing.T) Config {
	t.Helper()
	keyset, err := pii.NewLocal()
	if err != nil {
		t.Fatal(err)
	}
	master, err := pii.Local(keyset)
	if err != nil {
		t.Fatal(err)
	}
	files, err := uploads.NewLocal("", UploadPath, UploadSecret("pepper"), w.now)
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Client: w.client, TablePrefix: w.prefix, AdminToken: adminToken, Pepper: "pepper", Now: w.now, Tokens: w.issuer,
		MasterKey: master, Uploads: files,
		Logger: slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Wait:   func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
}

func (w *world) now() time.Time { return *w.clock.Load() }

func (w *world) advance(d time.Duration) {
	now := w.now().Add(d)
	w.clock.Store(&now)
}

// testResponse is an HTTP response with its JSON decoded.
type testResponse struct {
	status int
	header http.Header
	body   map[string]any
	raw    string
}

func (a testResponse) text(name string) string { s, _ := a.body[name].(string); return s }

// call sends a request with the world's API key; body is text, or a value to encode as JSON.
func (w *world) call(method, path string, body any) testResponse {
	return w.callWith(http.Header{"X-Api-Key": {w.key}}, method, path, body)
}

func (w *world) admin(method, path string, body any) testResponse {
	return w.callWith(http.Header{"Authorization": {"Bearer " + adminToken}}, method, path, body)
}

func (w *world) reviewer(name, method, path string, body any) testResponse {
	w.t.Helper()
	token, err := w.issuer.Token(name, time.Hour, "reviewer")
	if err != nil {
		w.t.Fatal(err)
	}
	return w.callWith(http.Header{"Authorization": {"Bearer " + token}}, method, path, body)
}

func (w *world) callWith(header http.Header, method, path string, body any) testResponse {
	w.t.Helper()
	got := webtest.Call(w.t, w.server, header, method, path, body)
	return testResponse{got.Status, got.Header, got.Body, got.Raw}
}

func (w *world) want(status int, got testResponse) testResponse {
	w.t.Helper()
	if got.status != status {
		w.t.Fatalf("status %d, want %d: %s", got.status, status, got.raw)
	}
	return got
}

// newKey returns the raw key of a new client.
func (w *world) newKey() string {
	w.t.Helper()
	return w.want(201, w.admin("POST", "/verification/api-keys", map[string]any{"description": "tests"})).text("apiKey")
}

func sample() map[string]any {
	return map[string]any{"documentType": "omang", "customerMetadata": map[string]any{
		"email": "customer@example.com", "phone": "+26771234567", "externalId": "cust_123",
		"redirectUrl": "https://client.com/callback",
	}}
}

// newCase opens a case and returns its path.
func (w *world) newCase() string {
	w.t.Helper()
	return "/verification/cases/" + w.want(201, w.call("POST", "/verification/cases", sample())).text("verificationId")
}

const jpeg = "\xff\xd8\xff\xe0 a picture"

// upload announces a document of a case, sends its file and confirms it; it returns the document's path.
func (w *world) upload(path, side string) string {
	w.t.Helper()
	made := w.want(201, w.call("POST", path+"/documents", map[string]any{"documentType": side, "fileSize": len(jpeg),
		"mimeType": "image/jpeg"}))
	to := made.body["upload"].(map[string]any)
	w.want(204, w.callWith(http.Header{"Content-Type": {"image/jpeg"}}, "PUT", to["url"].(string), jpeg))
	document := path + "/documents/" + made.body["document"].(map[string]any)["documentId"].(string)
	w.want(200, w.call("POST", document+"/uploaded", nil))
	return document
}

// submittedCase opens a case and takes it as far as its client can.
func (w *world) submittedCase() string {
	w.t.Helper()
	path := w.newCase()
	w.upload(path, "omang_front")
	w.want(200, w.call("POST", path+"/complete", nil))
	w.want(200, w.call("POST", path+"/submit", nil))
	return path
}

// items reads the whole table.
func (w *world) items() []ddb.Item {
	w.t.Helper()
	var all []ddb.Item
	pages := dynamodb.NewScanPaginator(w.client, &dynamodb.ScanInput{TableName: aws.String(w.prefix + Table),
		ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		all = append(all, page.Items...)
	}
	return all
}

// auditTrail returns the entries of the audit trail, sorted by time within each day.
func (w *world) auditTrail() (entries []AuditEntry) {
	w.t.Helper()
	for _, i := range w.items() {
		if strings.HasPrefix(ddb.Text(i["PK"]), "AUDIT#") {
			entries = append(entries, entryOf(i))
		}
	}
	return entries
}

// put replaces an item behind the service's back.
func (w *world) put(i ddb.Item) {
	w.t.Helper()
	if _, err := w.client.PutItem(w.t.Context(), &dynamodb.PutItemInput{TableName: aws.String(w.prefix + Table),
		Item: i}); err != nil {
		w.t.Fatal(err)
	}
}

// allText returns all text of an item.
func allText(i ddb.Item) string {
	var b strings.Builder
	for name, value := range i {
		b.WriteString(name + "=" + ddb.Text(value) + " " + allText(ddb.Members(value)))
	}
	return b.String()
}

// run runs a job of the service to its end, without a runner's memory, and adds up its counts.
func (w *world) run(job jobs.Job) map[string]int64 {
	w.t.Helper()
	counts := map[string]int64{}
	for day := range job.Segments {
		step, err := job.Step(w.t.Context(), jobs.StepInput{Parameters: job.Parameters, Segment: day,
			Renew: jobs.Unleased})
		if err != nil {
			w.t.Fatal(err)
		}
		for name, n := range step.Counts {
			counts[name] += n
		}
	}
	return counts
}
