package verification

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/verification/uploads"
)

// TestSessions checks that sessions end by the clock, by their client and with their key (VR-P9).
func TestSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	open := func() http.Header {
		created := w.want(201, w.call("POST", "/verification/sessions", nil))
		return http.Header{"Authorization": {"Session " + created.text("token")}}
	}
	list := func(as http.Header) int { return w.callWith(as, "GET", "/verification/cases", nil).status }
	timed, ended, keyed := open(), open(), open()
	w.want(204, w.callWith(ended, "DELETE", "/verification/sessions/self", nil))
	w.want(401, w.callWith(ended, "DELETE", "/verification/sessions/self", nil))
	w.want(400, w.call("DELETE", "/verification/sessions/self", nil))
	w.want(400, w.callWith(timed, "POST", "/verification/sessions", nil))
	if list(timed) != 200 || list(ended) != 401 || list(keyed) != 200 {
		t.Error("a session is not what it was made")
	}
	w.advance(time.Hour - time.Second)
	if list(timed) != 200 {
		t.Error("over before its hour")
	}
	w.advance(time.Second)
	if list(timed) != 401 {
		t.Error("good after its hour")
	}
	id, _, _ := strings.Cut(w.key, ".")
	again := open()
	if got := w.want(200, w.admin("DELETE", "/verification/api-keys/"+id, nil)); got.body["isActive"] != false {
		t.Errorf("revoked %s", got.raw)
	}
	if list(again) != 401 || w.call("GET", "/verification/cases", nil).status != 401 {
		t.Error("a revoked key, or its session, is good")
	}
	w.want(404, w.admin("DELETE", "/verification/api-keys/key_00000000-0000-4000-8000-000000000000", nil))
	if got := w.want(200, w.admin("GET", "/verification/api-keys", nil)); strings.Contains(got.raw, "hash") ||
		strings.Contains(got.raw, w.key) {
		t.Errorf("listed %s", got.raw)
	}
}

// TestEveryOperationIsAudited checks that each route except the open ones writes one entry (VR-R8).
func TestEveryOperationIsAudited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.submittedCase()
	id := path[len("/verification/cases/"):]
	before := len(w.auditTrail())
	calls := []testResponse{
		w.call("GET", path, nil), w.call("GET", path+"/documents", nil), w.call("GET", "/verification/cases", nil),
		w.call("POST", path+"/submit", nil),
		w.reviewer("rita", "GET", "/verification/review/cases?date=2026-02-03", nil), w.reviewer("rita", "GET",
			"/verification/review/cases/"+id, nil),
		w.reviewer("rita", "GET", "/verification/review/cases/"+id+"/documents", nil),
		w.reviewer("rita", "POST", path+"/transition", map[string]any{"to": "processing"}),
		w.admin("GET", "/verification/audit?date=2026-02-03", nil), w.admin("GET", "/verification/api-keys", nil),
		w.admin("POST", "/verification/pii-keys/rotate", nil), w.call("POST", "/verification/sessions", nil),
	}
	for _, a := range calls {
		if a.status/100 != 2 && a.status != 409 {
			t.Errorf("%d %s", a.status, a.raw)
		}
	}
	entries := w.auditTrail()
	if got := len(entries) - before; got != len(calls) {
		t.Errorf("%d entries of %d operations", got, len(calls))
	}
	for _, e := range entries {
		if want := w.now().AddDate(5, 0, 0).Unix(); e.ttl != want || e.EventID == "" || e.UserID == "" {
			t.Errorf("entry %+v", e)
		}
	}
	before = len(entries)
	w.want(422, w.call("POST", "/verification/cases", "{}"))
	w.want(400, w.call("GET", "/verification/cases?cursor=e30", nil))
	w.want(401, w.callWith(http.Header{}, "GET", path, nil))
	if got := len(w.auditTrail()); got != before {
		t.Errorf("refused requests left %d entries", got-before)
	}
}

// TestNewRequiresSettings checks that New names what is missing and what to set.
func TestNewRequiresSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for want, change := range map[string]func(*Config){
		"set Config.Client": func(c *Config) { c.Client = nil },
		"the pepper":        func(c *Config) { c.Pepper = "" },
		"the admin token":   func(c *Config) { c.AdminToken = "" },
		"Config.MasterKey":  func(c *Config) { c.MasterKey = nil },
		"Config.Uploads":    func(c *Config) { c.Uploads = nil },
		"af-south-1":        func(c *Config) { c.Client = dynamodb.New(dynamodb.Options{Region: "eu-west-1"}) },
	} {
		cfg := w.config(t)
		change(&cfg)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	cfg := w.config(t)
	cfg.Tokens = nil
	service, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := service.Mount(http.NewServeMux()); err == nil || !strings.Contains(err.Error(), "Config.Tokens") {
		t.Error(err)
	}
}

// TestJobs checks that the jobs expire and remove what is due, once, and report their work day by day (VR-R7, VR-R8).
func TestJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submittedCase()
	w.newCase()
	if got := w.run(w.service.ExpiryJob()); got["expired"] > 0 || got["days"] != expiryDays {
		t.Errorf("%v", got)
	}
	w.advance(Lifetime)
	days := w.service.ExpiryDays()
	if !slices.IsSorted(days) || days[len(days)-1] != "2026-02-03" {
		t.Errorf("days %v", days)
	}
	if got := w.run(w.service.ExpiryJob()); got["expired"] != 2 || got["documents"] != 1 || got["files"] != 1 {
		t.Errorf("%v", got)
	}
	if got := w.run(w.service.ExpiryJob()); got["expired"] > 0 {
		t.Errorf("again %v", got)
	}
	entries := len(w.auditTrail())
	w.advance(5 * 366 * 24 * time.Hour)
	if kept := w.run(w.service.RetentionJob()); kept["entries"] == 0 || len(w.auditTrail()) >= entries {
		t.Errorf("%v", kept)
	}
}

// TestJobsStopWithTheirLease loses the lease at each of its renewals in turn: the job writes nothing after that but the
// audit entry of what it has deleted, and the next one continues.
func TestJobsStopWithTheirLease(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submittedCase()
	w.newCase()
	lost := errors.New("the lease is lost")
	for _, job := range []struct {
		later time.Duration
		of    func(context.Context, string, jobs.Renew) (JobCounts, error)
		min   int // number of renewals
	}{{Lifetime, w.service.ExpireDay, 3}, {5 * 366 * 24 * time.Hour, w.service.RetainDay, 2}} {
		w.advance(job.later)
		renewals := 0
		for err := lost; err != nil; renewals++ {
			var left []ddb.Item
			last := renewals
			var counts JobCounts
			counts, err = job.of(t.Context(), "2026-02-03", func(context.Context) error {
				if last--; last >= 0 {
					return nil
				}
				if left == nil {
					left = w.items()
				}
				return lost
			})
			entries := int(min(counts.Entries, 1))
			if err != nil && (!errors.Is(err, lost) || len(w.items()) != len(left)+entries) {
				t.Fatalf("after renewal %d: %v; it wrote %d items, want %d", renewals, err, len(w.items())-len(left), entries)
			}
		}
		if renewals <= job.min {
			t.Errorf("%d renewals", renewals)
		}
	}
}

// slowUploads is a store of files; deleted is called after each file that it deletes.
type slowUploads struct {
	uploads.Uploads
	deleted func()
}

func (s slowUploads) Delete(ctx context.Context, key string) error {
	defer s.deleted()
	return s.Uploads.Delete(ctx, key)
}

// TestLeaseLostWhileDeleting checks that a job whose lease ends while it deletes a file does not change the table after
// that, and that the next one completes its work.
func TestLeaseLostWhileDeleting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submittedCase()
	w.advance(Lifetime)
	var expired error
	lost := errors.New("the lease is lost")
	w.service.cfg.Uploads = slowUploads{w.service.cfg.Uploads, func() { expired = lost }}
	before := w.items()
	renew := func(context.Context) error { return expired }
	if _, err := w.service.ExpireDay(t.Context(), "2026-02-03", renew); !errors.Is(err, lost) {
		t.Error(err)
	}
	if !reflect.DeepEqual(before, w.items()) {
		t.Error("it wrote without its lease")
	}
	counts, err := w.service.ExpireDay(t.Context(), "2026-02-03", jobs.Unleased)
	if err != nil || counts.Documents == 0 || counts.Expired != 1 {
		t.Errorf("%+v, %v", counts, err)
	}
}

// TestOperationsRequireACaller checks that an operation without a caller is refused and leaves no trace (VR-R6, VR-R8).
func TestOperationsRequireACaller(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := CaseID(w.newCase()[len("/verification/cases/"):])
	items := len(w.items())
	if got, err := w.service.read(t.Context(), id); !errors.Is(err, errNoCaller) || got.VerificationID != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if r, err := w.service.visibleCase(t.Context(), id); !errors.Is(err, errNoCase) {
		t.Errorf("%+v, %v", r.Case, err)
	}
	if _, _, err := w.service.create(t.Context(), newCase{DocumentType: "omang"}, ""); !errors.Is(err, errNoCaller) {
		t.Error(err)
	}
	if n := len(w.items()); n != items {
		t.Errorf("there were %d items and are %d", items, n)
	}
}

// otherBucket reports another bucket.
type otherBucket struct{ uploads.Uploads }

func (otherBucket) Bucket() string { return "elsewhere" }

// TestExpiryRefusesAnotherBucket checks that a document whose file is out of reach is not removed: nothing else says
// where the file is.
func TestExpiryRefusesAnotherBucket(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := CaseID(w.submittedCase()[len("/verification/cases/"):])
	w.advance(Lifetime)
	cfg := w.config(t)
	cfg.Uploads = otherBucket{cfg.Uploads}
	other, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := other.ExpireDay(t.Context(), "2026-02-03", jobs.Unleased); err == nil || !strings.Contains(err.Error(),
		"set --uploads") || got.Documents > 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if documents, err := w.service.store.documents(t.Context(), id); err != nil || len(documents) != 1 {
		t.Errorf("%v, %v", documents, err)
	}
}

// FuzzCredential checks that only credentials of the right kind reach the database.
func FuzzCredential(f *testing.F) {
	const uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
	secret := strings.Repeat("0f", 32)
	for _, seed := range []string{"", ".", "key_" + uuid + "." + secret, "ses_" + uuid + "." + secret, "key_" + uuid,
		"key_" + uuid + ".#", "KEY_" + uuid + "." + secret} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		id, got, ok := splitCredential(raw, "key_")
		if ok && (id+"."+got != raw || len(got) != 64 || len(id) != len("key_")+len(uuid) || strings.ContainsAny(id, "#/ ")) {
			t.Errorf("%q is %q and %q", raw, id, got)
		}
	})
}
