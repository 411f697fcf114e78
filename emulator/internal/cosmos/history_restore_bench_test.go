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

// restoredItems is the number of items that each restore of the benchmark copies.
const restoredItems = 30_000

// BenchmarkReadsDuringRestores measures the latency of point reads over HTTP, alone and while four restores run, and
// how long these take.
func BenchmarkReadsDuringRestores(b *testing.B) {
	b.Run("memory", func(b *testing.B) { readDuringRestores(b, "") })
	b.Run("disk", func(b *testing.B) { readDuringRestores(b, b.TempDir()) })
}

// readDuringRestores measures with data in a folder; empty: in memory.
func readDuringRestores(b *testing.B, dir string) {
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	service, err := New(Config{Store: s, Clock: clock.Real(), Seed: 1, Pool: budget.NewPool(budget.DefaultPool),
		ContinuousBackup: 7 * 24 * time.Hour})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		_, _ = service.Close(), s.Close()
	}()
	post := func(path, body, key string) int {
		r, w := httptest.NewRequest("POST", "http://localhost"+path, strings.NewReader(body)), httptest.NewRecorder()
		if key != "" {
			r.Header.Set("X-Ms-Documentdb-Partitionkey", fmt.Sprintf("[%q]", key))
		}
		service.SignedGateway().ServeHTTP(w, r)
		return w.Code
	}
	post("/dbs", `{"id":"db"}`, "")
	post("/dbs/db/colls", `{"id":"c","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`, "")
	var loaders sync.WaitGroup
	for part := range 16 { // they share the disk's syncs
		loaders.Go(func() {
			for n := part; n < restoredItems; n += 16 {
				id := fmt.Sprint(n)
				if post("/dbs/db/colls/c/docs", `{"id":"`+id+`","text":"`+strings.Repeat("x", 300)+`"}`, id) != http.StatusCreated {
					b.Error("an item was not created")
				}
			}
		})
	}
	loaders.Wait()
	server := httptest.NewServer(service.SignedGateway())
	defer server.Close()
	for b.Loop() {
		stop := make(chan struct{})
		time.AfterFunc(3*time.Second, func() { close(stop) })
		b.ReportMetric(p99OfReads(b, server.URL, stop), "ms-p99-alone")
		stop = make(chan struct{})
		begun := time.Now()
		var restores sync.WaitGroup
		for n := range 4 {
			restores.Go(func() {
				w := httptest.NewRecorder()
				service.History().ServeHTTP(w, httptest.NewRequest("POST", "/Restore",
					strings.NewReader(fmt.Sprintf(`{"Database":"db","Container":"c","NewContainer":"again%d"}`, n))))
				if w.Code != http.StatusOK {
					b.Error(w.Body)
				}
			})
		}
		go func() { restores.Wait(); close(stop) }()
		b.ReportMetric(p99OfReads(b, server.URL, stop), "ms-p99-restoring")
		b.ReportMetric(time.Since(begun).Seconds(), "s-restoring")
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
				id := fmt.Sprint(n % restoredItems)
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
