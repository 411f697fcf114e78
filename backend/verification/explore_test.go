package verification

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/emulator"
)

// TestExplore takes a case from its creation to a decision while one request or another to the database fails, and
// checks that there is one key, and one case with one document, that each step was made once and recorded once, and
// that nothing was shown without an entry in the audit trail (VR-R2, VR-R3, VR-R8, VR-R11).
func TestExplore(t *testing.T) {
	t.Parallel()
	emulator.Explore(t, func(t *testing.T, e *emulator.Emulator) {
		attempts := dbtest.NewAttempts(1) // the clients' repeats meet what was done before
		w := newWorldOn(t, attempts.Use(e.AWSConfig()), "explored-")
		keys := w.keys()
		path := "/verification/cases/" + w.once("customer-1", "/verification/cases", sample()).text("verificationId")
		w.submit(path)
		attempts.Set(3) // the reviewers rely on the SDK
		for _, to := range []string{"processing", "pending_review", "in_review", "approved"} {
			w.step(to, func() testResponse {
				return w.reviewer("rita", "POST", path+"/transition", map[string]any{"to": to, "reason": "all_good"})
			})
		}
		w.advance(time.Minute)
		if err := e.Advance(time.Minute); err != nil {
			t.Fatal(err)
		}
		for _, c := range []testResponse{
			w.repeat(func() testResponse { return w.call("GET", path, nil) }),
			w.repeat(func() testResponse { return w.call("GET", "/verification/cases", nil) }),
		} {
			if !strings.Contains(c.raw, `"status":"approved"`) {
				t.Errorf("the case is not approved: %s", c.raw)
			}
		}
		e.StopExploring()
		w.has(prefixAPIKey, keys)
		w.has(prefixCase, 2) // one case, and its document
		w.recorded()
		dbtest.CheckInvariants(t, Invariants(), dbtest.Databases{DynamoDB: w.client, Prefix: w.prefix})
	}, emulator.ExploreRuns(100), emulator.ExploreFor(0), emulator.ExploreWith(emulator.WithManualClock(dbtest.Start())))
}

// keys creates API keys until the response with the key arrives, and returns how many there are then.
func (w *world) keys() (n int) {
	w.t.Helper()
	for w.key == "" { // a repeat returns the record, not the key
		n++
		header := http.Header{"Authorization": {"Bearer " + adminToken}, "Idempotency-Key": {fmt.Sprint("api-key-", n)}}
		w.key = w.repeat(func() testResponse {
			return w.callWith(header, "POST", "/verification/api-keys", map[string]any{"description": "tests"})
		}).text("apiKey")
	}
	return n
}

// has checks the number of items whose key has a prefix.
func (w *world) has(prefix string, want int) {
	w.t.Helper()
	n := 0
	for _, in := range w.items() {
		if strings.HasPrefix(ddb.Text(in["PK"]), prefix) {
			n++
		}
	}
	if n != want {
		w.t.Errorf("%d items with the prefix %s, want %d", n, prefix, want)
	}
}

// recorded checks that the audit trail has each change once, and what was shown.
func (w *world) recorded() {
	w.t.Helper()
	done := map[string]int{}
	for _, e := range w.auditTrail() {
		if e.Outcome == outcomeDone {
			done[e.Action]++
			done[e.Action+" "+string(e.To)]++
		}
	}
	for _, change := range []string{"case.create", "document.add",
		"case.complete documents_complete", "case.submit submitted", "case.transition processing",
		"case.transition pending_review", "case.transition in_review", "case.transition approved"} {
		if done[change] != 1 {
			w.t.Errorf("%s was recorded %d times, want once: %v", change, done[change], done)
		}
	}
	if done["case.read"] == 0 || done["case.list"] == 0 {
		w.t.Errorf("what was shown was not recorded: %v", done)
	}
}

// submit uploads a document of a case and submits the case.
func (w *world) submit(path string) {
	w.t.Helper()
	made := w.once("document-1", path+"/documents", map[string]any{"documentType": "omang_front", "fileSize": len(jpeg),
		"mimeType": "image/jpeg"})
	to := made.body["upload"].(map[string]any)["url"].(string)
	w.repeat(func() testResponse {
		return w.callWith(http.Header{"Content-Type": {"image/jpeg"}}, "PUT", to, jpeg)
	})
	document := path + "/documents/" + made.body["document"].(map[string]any)["documentId"].(string)
	w.repeat(func() testResponse { return w.call("POST", document+"/uploaded", nil) })
	w.step("documents_complete", func() testResponse { return w.call("POST", path+"/complete", nil) })
	w.step("submitted", func() testResponse { return w.call("POST", path+"/submit", nil) })
}

// once sends a request with an Idempotency-Key, and again with the same one while it fails for a passing reason.
func (w *world) once(key, path string, body any) testResponse {
	w.t.Helper()
	return w.repeat(func() testResponse {
		return w.callWith(http.Header{"X-Api-Key": {w.key}, "Idempotency-Key": {key}}, "POST", path, body)
	})
}

// step moves a case to a status. A repeat after a failure may find that the case has this status already.
func (w *world) step(status string, send func() testResponse) {
	w.t.Helper()
	failed := false
	w.repeat(func() testResponse {
		got := send()
		if failed && got.status == http.StatusConflict && strings.Contains(got.raw, status) {
			return testResponse{status: http.StatusOK}
		}
		failed = true
		return got
	})
}

// repeat sends a request, and again while it fails for a passing reason, once more than there are mishaps, as clients
// do.
func (w *world) repeat(send func() testResponse) testResponse {
	w.t.Helper()
	var got testResponse
	for range 4 {
		got = send()
		if got.status != http.StatusServiceUnavailable && got.status != http.StatusTooManyRequests {
			break
		}
	}
	if got.status/100 != 2 {
		w.t.Fatalf("status %d: %s\n%s", got.status, got.raw, w.log)
	}
	return got
}
