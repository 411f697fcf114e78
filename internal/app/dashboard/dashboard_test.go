package dashboard

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var rewrite = flag.Bool("rewrite", false, "write the dashboard to deploy/grafana")

// TestDashboardFileIsCurrent compares the file in deploy/grafana with what the code generates.
func TestDashboardFileIsCurrent(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "..", "deploy", "grafana", "tabletop.json")
	var want bytes.Buffer
	if err := Write(&want); err != nil {
		t.Fatal(err)
	}
	if *rewrite {
		if err := os.WriteFile(path, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is outdated: go test ./internal/app/dashboard -rewrite", path)
	}
}

// TestPanelsDoNotOverlap checks that each panel is on the grid once, below its row, with a unique id.
func TestPanelsDoNotOverlap(t *testing.T) {
	t.Parallel()
	taken, numbers := map[[2]int]string{}, map[int]bool{}
	for _, p := range build().Panels {
		if numbers[p.ID] || p.GridPos.X+p.GridPos.W > columns {
			t.Errorf("%q: number %d, at %+v", p.Title, p.ID, p.GridPos)
		}
		numbers[p.ID] = true
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" {
					t.Fatalf("%q overlaps %q", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
		if p.Type != "row" && (p.Description == "" || len(p.Targets) == 0) {
			t.Errorf("%q has no description or no query", p.Title)
		}
	}
}

// TestCheck distinguishes empty panels from those where no data is normal, and a failed query from a Prometheus that
// does not answer.
func TestCheck(t *testing.T) {
	t.Parallel()
	prometheus := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		series := []any{}
		switch query := r.FormValue("query"); {
		case strings.Contains(query, "$"):
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"status":"error","errorType":"bad_data","error":"unexpected $"}`))
			return
		case strings.Contains(query, "process_resident"):
			w.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = w.Write([]byte(`{"status":"error","errorType":"execution","error":"too much"}`))
			return
		case strings.Contains(query, "http_server") && strings.Contains(query, "[2m]"):
			series = append(series, map[string]any{"metric": map[string]string{}, "value": []any{1, "2"}})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": map[string]any{"resultType": "vector",
			"result": series}})
	}))
	t.Cleanup(prometheus.Close)
	answers, err := Check(t.Context(), prometheus.URL, 2*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	byPanel := map[string]Answer{}
	for _, a := range answers {
		byPanel[a.Panel] = a
	}
	for panel, missing := range map[string]bool{
		"Requests to the backends: Requests": false, "Database operations of the backends: Failed operations": false,
		"DynamoDB tables: Write units": true, "Processes: Memory": true,
	} {
		if byPanel[panel].Missing() != missing {
			t.Errorf("%s: %+v", panel, byPanel[panel])
		}
	}
	if byPanel["Processes: Memory"].Error == "" {
		t.Error("a failed query has no error")
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Check(ended, prometheus.URL, time.Minute); err == nil {
		t.Error("no error although Prometheus cannot be reached")
	}
}
