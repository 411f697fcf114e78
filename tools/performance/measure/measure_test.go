package measure

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/floor"
	"github.com/tabletop-db/tabletop/tools/performance/server"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

const serveFloor = "serve-floor"

// TestMain runs as a bare handler if the arguments are bareHandler's: CPU is measured of other processes.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == serveFloor {
		panic(floor.ServeDynamoDB(os.Args[2], ""))
	}
	os.Exit(m.Run())
}

// bareHandler starts a bare handler.
func bareHandler(t *testing.T, isFloor bool) *server.Server {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip(server.ErrUnsupported)
	}
	p := &server.Program{Name: "bare", Service: workload.DynamoDB, Floor: isFloor,
		Memory: []string{os.Args[0], serveFloor, "127.0.0.1:{port}"}}
	s, err := p.StartIn("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

func find(t *testing.T, s *server.Server, name string) *workload.Workload {
	t.Helper()
	found := s.Service.Find(map[string]bool{name: true})
	if len(found) != 1 {
		t.Fatalf("%d workloads are called %s", len(found), name)
	}
	return found[0]
}

func TestRunSendsAFixedNumber(t *testing.T) {
	t.Parallel()
	s := bareHandler(t, true)
	w, err := Run(s, find(t, s, "get"), Load{Connections: 3, Requests: 100})
	if err != nil {
		t.Fatal(err)
	}
	if w.Requests != 100 || w.Errors != 0 || len(w.Latencies) != 100 {
		t.Errorf("%d requests, %d errors, %d latencies", w.Requests, w.Errors, len(w.Latencies))
	}
	if w.ServerCPU <= 0 || w.ClientCPU <= 0 || w.PerRequest() != w.ServerCPU/100 {
		t.Errorf("CPU of the server %v, of the client %v, per request %v", w.ServerCPU, w.ClientCPU, w.PerRequest())
	}
}

func TestRunSendsAtARate(t *testing.T) {
	t.Parallel()
	s := bareHandler(t, true)
	w, err := Run(s, find(t, s, "mixed@500"), Load{Connections: 4, Duration: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if w.Requests != 100 {
		t.Errorf("%d requests in 0.2 s at 500 per second", w.Requests)
	}
}

func TestRunCountsWrongResponses(t *testing.T) {
	t.Parallel()
	s := bareHandler(t, true)
	wrong := *find(t, s, "get")
	wrong.MinLength = 1 << 20
	w, err := Run(s, &wrong, Load{Connections: 2, Requests: 10})
	if err != nil {
		t.Fatal(err)
	}
	if w.Errors != 10 || !strings.Contains(w.FirstError, "at least 1048576") || w.Throughput() != 0 {
		t.Errorf("%d errors, throughput %g, first error %q", w.Errors, w.Throughput(), w.FirstError)
	}
}

// TestInterleaveLeavesOutWrongServers checks that a server whose responses are not correct has no figures.
func TestInterleaveLeavesOutWrongServers(t *testing.T) {
	t.Parallel()
	servers := []*server.Server{bareHandler(t, true), bareHandler(t, false)}
	servers[1].Service = workload.Grown(2) // its tables are never emptied, and the bare handler has none
	servers[0].Service = workload.Grown(2)
	results, err := Interleave(servers, map[string]bool{"get": true, "query20": true}, false,
		Plan{Rounds: 2, Window: 20 * time.Millisecond, Connections: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 4 {
		t.Fatalf("%d results of two workloads on two servers", len(results))
	}
	for i, r := range results {
		if want := []string{"get", "get", "query20", "query20"}[i]; r.Workload != want || r.Floor != (i%2 == 0) {
			t.Errorf("result %d is of %s, floor %v", i, r.Workload, r.Floor)
		}
	}
	if r := results[2]; r.Requests == 0 || r.CPU <= 0 || r.P50 <= 0 || r.P99 < r.P50 {
		t.Errorf("the floor has no figures: %+v", r)
	}
	if r := results[3]; r.Requests != 0 || !strings.Contains(r.Problem, "newest first") {
		t.Errorf("a wrong page has figures: %+v", r)
	}
}

func TestSummaries(t *testing.T) {
	t.Parallel()
	sorted := []time.Duration{1, 2, 3, 4, 5, 6, 7, 8, 9, 100}
	if got := Quantile(sorted, 0.99); got != 100 {
		t.Errorf("p99 %v", got)
	}
	if Quantile(nil, 0.5) != 0 || Median[float64](nil) != 0 {
		t.Error("without values, there is no quantile")
	}
	if got := Median([]float64{9, 1, 3, 2}); got != 2.5 {
		t.Errorf("median %g, not 2.5", got)
	}
}
