package cosmos

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// busyItems is the number of items of the container that readsDuring reads, and of each that work is done on.
const busyItems = 30_000

// BenchmarkReadsDuringRestores measures the latency of reads while four restores run.
func BenchmarkReadsDuringRestores(b *testing.B) {
	restore := func(x *busyService, n int) {
		x.history("Restore", fmt.Sprintf(`{"Database":"db","Container":"c","NewContainer":"again%d"}`, n))
	}
	b.Run("memory", func(b *testing.B) { readDuring(b, "", nil, restore) })
	b.Run("disk", func(b *testing.B) { readDuring(b, b.TempDir(), nil, restore) })
}

// BenchmarkReadsDuringClones measures the latency of reads while a container is cloned four times.
func BenchmarkReadsDuringClones(b *testing.B) {
	readDuring(b, "", nil, func(x *busyService, n int) {
		x.history("Clone", fmt.Sprintf(`{"Database":"db","Container":"c","NewContainer":"again%d"}`, n))
	})
}

// BenchmarkReadsDuringExpiry measures the latency of reads while the items of four containers expire.
func BenchmarkReadsDuringExpiry(b *testing.B) {
	readDuring(b, "", func(x *busyService) {
		for n := range 4 {
			x.fill(fmt.Sprintf("c%d", n), `,"defaultTtl":600`, "/id")
		}
	}, func(x *busyService, n int) {
		if n == 0 {
			if err := x.clock.Advance(time.Hour); err != nil {
				b.Error(err)
			}
		}
	})
}

// BenchmarkReadsDuringDeletions measures the latency of reads while four logical partitions are deleted.
func BenchmarkReadsDuringDeletions(b *testing.B) {
	readDuring(b, "", func(x *busyService) {
		for n := range 4 {
			x.fill(fmt.Sprintf("c%d", n), "", "/all")
		}
	}, func(x *busyService, n int) {
		x.post(fmt.Sprintf("/dbs/db/colls/c%d/operations/partitionkeydelete", n), "", "same", http.StatusOK)
	})
}

// BenchmarkReadsDuringIndexBuilds measures the latency of reads while the first queries of four containers build
// indexes.
func BenchmarkReadsDuringIndexBuilds(b *testing.B) {
	readDuring(b, "", func(x *busyService) {
		for n := range 4 {
			x.fill(fmt.Sprintf("c%d", n), "", "/id")
		}
	}, func(x *busyService, n int) {
		for _, field := range []string{"number", "text", "all"} {
			x.post(fmt.Sprintf("/dbs/db/colls/c%d/docs", n),
				`{"query":"SELECT c.id FROM c WHERE c.`+field+` = 5"}`, "", http.StatusOK)
		}
	})
}

// busyService is a service over HTTP with a container, that is read while work is done.
type busyService struct {
	b       testing.TB
	service *Service
	clock   *clock.Clock
}

// post makes a POST with a partition key; empty: of no or all logical partitions.
func (x *busyService) post(path, body, key string, want int) {
	r, w := httptest.NewRequest("POST", "http://localhost"+path, strings.NewReader(body)), httptest.NewRecorder()
	switch {
	case key != "":
		r.Header.Set("X-Ms-Documentdb-Partitionkey", fmt.Sprintf("[%q]", key))
	case strings.HasPrefix(body, `{"query"`):
		r.Header.Set("Content-Type", "application/query+json")
		r.Header.Set("X-Ms-Documentdb-Isquery", "true")
		r.Header.Set("X-Ms-Documentdb-Query-Enablecrosspartition", "true")
	}
	if x.service.SignedGateway().ServeHTTP(w, r); w.Code != want {
		x.b.Error(path, w.Code, w.Body)
	}
}

func (x *busyService) history(operation, body string) {
	w := httptest.NewRecorder()
	x.service.History().ServeHTTP(w, httptest.NewRequest("POST", "/"+operation, strings.NewReader(body)))
	if w.Code != http.StatusOK {
		x.b.Error(operation, w.Code, w.Body)
	}
}

// fill creates a container with items. Members of the container begin with a comma.
func (x *busyService) fill(name, members, path string) {
	x.post("/dbs/db/colls", `{"id":"`+name+`","partitionKey":{"paths":["`+path+`"],"kind":"Hash","version":2}`+members+`}`,
		"", http.StatusCreated)
	var loaders sync.WaitGroup
	for part := range 16 { // they share the disk's syncs
		loaders.Go(func() {
			for n := part; n < busyItems; n += 16 {
				id := fmt.Sprint(n)
				key := id
				if path == "/all" {
					key = "same"
				}
				x.post("/dbs/db/colls/"+name+"/docs", fmt.Sprintf(`{"id":%q,"all":"same","number":%d,"text":%q}`, id, n,
					strings.Repeat("x", 300)), key, http.StatusCreated)
			}
		})
	}
	loaders.Wait()
}

// readDuring measures the latency of point reads over HTTP, alone and while four calls of work run, and how long these
// take. dir is a folder; empty: memory. prepare may be nil.
func readDuring(b *testing.B, dir string, prepare func(*busyService), work func(x *busyService, n int)) {
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	x := &busyService{b: b, clock: clock.Manual(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC))}
	if x.service, err = New(Config{Store: s, Clock: x.clock, Seed: 1, Pool: budget.NewPool(budget.DefaultPool),
		ContinuousBackup: 7 * 24 * time.Hour}); err != nil {
		b.Fatal(err)
	}
	defer func() {
		_, _ = x.service.Close(), s.Close()
	}()
	x.post("/dbs", `{"id":"db"}`, "", http.StatusCreated)
	x.fill("c", "", "/id")
	if prepare != nil {
		prepare(x)
	}
	server := httptest.NewServer(x.service.SignedGateway())
	defer server.Close()
	for b.Loop() {
		stop := make(chan struct{})
		time.AfterFunc(3*time.Second, func() { close(stop) })
		b.ReportMetric(p99OfReads(b, server.URL, stop), "ms-p99-alone")
		stop = make(chan struct{})
		begun := time.Now()
		var workers sync.WaitGroup
		for n := range 4 {
			workers.Go(func() { work(x, n) })
		}
		go func() { workers.Wait(); close(stop) }()
		b.ReportMetric(p99OfReads(b, server.URL, stop), "ms-p99-working")
		b.ReportMetric(time.Since(begun).Seconds(), "s-working")
	}
}

// p99OfReads reads items with four clients until stop is closed, and returns the 99th percentile in milliseconds.
func p99OfReads(b *testing.B, url string, stop <-chan struct{}) float64 {
	var mu sync.Mutex
	var all []time.Duration
	var clients sync.WaitGroup
	for client := range 4 {
		clients.Go(func() {
			for n := client; ; n += 4 {
				select {
				case <-stop:
					return
				case <-time.After(2 * time.Millisecond):
				}
				id := fmt.Sprint(n % busyItems)
				r, _ := http.NewRequest("GET", url+"/dbs/db/colls/c/docs/"+id, nil)
				r.Header.Set("X-Ms-Documentdb-Partitionkey", fmt.Sprintf("[%q]", id))
				begun := time.Now()
				answer, err := http.DefaultClient.Do(r)
				took := time.Since(begun)
				if err != nil || answer.StatusCode != http.StatusOK {
					b.Error(err, answer)
					return
				}
				_ = answer.Body.Close()
				mu.Lock()
				all = append(all, took)
				mu.Unlock()
			}
		})
	}
	clients.Wait()
	slices.Sort(all)
	return float64(all[len(all)*99/100].Microseconds()) / 1000
}
