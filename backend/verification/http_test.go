package verification

import (
	"strings"
	"testing"
)

// TestOpenAPI checks that the document names the callers of each operation, and that no URL contains contact data,
// which would end up in logs.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	doc := w.want(200, w.callWith(nil, "GET", "/verification/openapi.json", nil))
	paths, _ := doc.body["paths"].(map[string]any)
	operations := 0
	for path, methods := range paths {
		for method, op := range methods.(map[string]any) {
			operations++
			open := path == "/verification/healthz" || path == "/verification/stats"
			security, _ := op.(map[string]any)["security"].([]any)
			if len(security) != 1 || open != (len(security[0].(map[string]any)) == 0) {
				t.Errorf("%s %s: security %v", method, path, security)
			}
		}
	}
	if operations != 23 {
		t.Errorf("%d operations: are all of them audited?", operations)
	}
	if page := w.callWith(nil, "GET", "/verification/docs", nil); page.status != 200 || !strings.Contains(page.raw,
		"Idempotency-Key") {
		t.Errorf("the page: %d", page.status)
	}
	w.want(200, w.callWith(nil, "GET", "/verification/healthz", nil))
	if got := w.want(200, w.callWith(nil, "GET", "/verification/stats", nil)); got.body["requests"] == nil {
		t.Error(got.raw)
	}
}

// TestProblemsShowNoContactData checks that problems name the field but not its value (VR-R5).
func TestProblemsShowNoContactData(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, body := range []string{
		`{"documentType":"omang","customerMetadata":{"email":"thabo at example.com"}}`,
		`{"documentType":"omang","customerMetadata":{"email":["thabo@example.com"]}}`,
		`{"documentType":"omang","customerMetadata":"thabo@example.com"}`,
		`{"documentType":"omang","customerMetadata":{"thabo":1}}`,
		`{"documentType":"omang","customerMetadata":{"phone":"thabo"},"x":1}`,
	} {
		got := w.want(422, w.call("POST", "/verification/cases", body))
		if strings.Contains(strings.ReplaceAll(got.raw, "body.customerMetadata.thabo", ""), "thabo") ||
			!strings.Contains(got.raw, "body.") {
			t.Errorf("%s: %s", body, got.raw)
		}
	}
	if strings.Contains(w.log.String(), "thabo") {
		t.Error("the log shows it")
	}
}
