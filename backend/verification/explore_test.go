package verification

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/emulator"
)

// TestExplore takes a case from its creation to a decision while one request or another to the database fails, and
// checks that there is one case with one document and that each step was made once (VR-R2, VR-R11).
func TestExplore(t *testing.T) {
	t.Parallel()
	emulator.Explore(t, func(t *testing.T, e *emulator.Emulator) {
		db := e.AWSConfig()
		db.Retryer = func() aws.Retryer { return aws.NopRetryer{} } // the clients' repeats meet what was done before
		w := newWorldOn(t, db, "explored-")
		w.key = w.repeat(func() testResponse {
			return w.admin("POST", "/verification/api-keys", map[string]any{"description": "tests"})
		}).text("apiKey")
		path := "/verification/cases/" + w.once("customer-1", "/verification/cases", sample()).text("verificationId")
		w.submit(path)
		for _, to := range []string{"processing", "pending_review", "in_review", "approved"} {
			w.step(to, func() testResponse {
				return w.reviewer("rita", "POST", path+"/transition", map[string]any{"to": to, "reason": "all_good"})
			})
		}
		w.advance(time.Minute)
		if err := e.Advance(time.Minute); err != nil {
			t.Fatal(err)
		}
		cases := w.repeat(func() testResponse { return w.call("GET", "/verification/cases", nil) })
		c := w.repeat(func() testResponse { return w.call("GET", path, nil) })
		documents := w.repeat(func() testResponse { return w.call("GET", path+"/documents", nil) })
		if n, m := len(cases.body["cases"].([]any)), len(documents.body["documents"].([]any)); n != 1 || m != 1 ||
			c.text("status") != "approved" {
			t.Errorf("%d cases and %d documents, status %s; want one of each, approved", n, m, c.text("status"))
		}
	}, emulator.ExploreRuns(100), emulator.ExploreFor(0), emulator.ExploreWith(emulator.WithManualClock(dbtest.Start())))
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

// repeat sends a request again while it fails for a passing reason, at most three times, as clients do.
func (w *world) repeat(send func() testResponse) testResponse {
	w.t.Helper()
	var got testResponse
	for range 3 {
		got = send()
		if got.status < http.StatusInternalServerError && got.status != http.StatusTooManyRequests {
			break
		}
	}
	if got.status/100 != 2 {
		w.t.Fatalf("status %d: %s", got.status, got.raw)
	}
	return got
}
