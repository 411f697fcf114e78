package telemetry

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// get requests one of the pages of a service that has no database.
func get(t *testing.T, path string) *httptest.ResponseRecorder {
	t.Helper()
	service, err := New(Config{Client: dynamodb.New(dynamodb.Options{}), Pepper: "pepper", AdminToken: adminToken})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	if err := service.Mount(mux); err != nil {
		t.Fatal(err)
	}
	out := httptest.NewRecorder()
	mux.ServeHTTP(out, httptest.NewRequest("GET", "http://desk.example:8080"+path, nil))
	if out.Code != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, out.Code, out.Body)
	}
	return out
}

// TestOpenAPI checks that the document covers the API and names the callers of each operation.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			OperationID string
			Summary     string
			Security    []map[string][]string
			RequestBody struct {
				Content map[string]struct {
					Schema map[string]any
				}
			}
		}
	}
	if err := json.Unmarshal(get(t, "/telemetry/openapi.json").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for path, methods := range doc.Paths {
		for method, op := range methods {
			ids = append(ids, op.OperationID)
			open := path == "/telemetry/healthz" || path == "/telemetry/stats"
			if len(op.Security) != 1 || open != (len(op.Security[0]) == 0) || op.Summary == "" {
				t.Errorf("%s %s: security %v, summary %q", method, path, op.Security, op.Summary)
			}
		}
	}
	if len(ids) != 15 || !strings.HasPrefix(doc.OpenAPI, "3.") {
		t.Errorf("OpenAPI %s with %d operations: %v", doc.OpenAPI, len(ids), ids)
	}
	body := doc.Paths["/telemetry/readings"]["post"].RequestBody.Content["application/json"].Schema
	if body["$ref"] != "#/components/schemas/IngestBody" {
		t.Errorf("the body of readings is described as %v", body)
	}
}

// TestDocsPage checks that the page is self-contained and that its examples name the server it came from.
func TestDocsPage(t *testing.T) {
	t.Parallel()
	out := get(t, "/telemetry/docs")
	page := out.Body.String()
	for _, want := range []string{
		"curl http://desk.example:8080/telemetry/devices/AA:BB:CC:DD:EE:FF",
		"X-API-Key: $API_KEY", "POST</b> <code>/telemetry/readings</code>", "readings[].timestamp_ms",
		"prefers-color-scheme: dark", `name="viewport"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if found := regexp.MustCompile(`<script|(src|href)="(https?:)?//|url\(|@import`).FindString(page); found != "" {
		t.Errorf("the page needs more than itself: %s", found)
	}
	if csp := out.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") {
		t.Errorf("content security policy %q", csp)
	}
}
