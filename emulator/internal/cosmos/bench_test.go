package cosmos

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The benchmarks send requests as SDKs do, over one connection each. For comparison, BenchmarkBareHandler measures a
// handler that only replies with as many bytes. Those named …Alone call the service without a connection.

// 1 KB in total
const benchItem = `{"id":"%d","pk":"a","name":"A bicycle","price":355.95,"tags":["r-series","featured"],"text":"`

func benchBody(n int) string {
	head := fmt.Sprintf(benchItem, n)
	return head + strings.Repeat("x", 1000-len(head)) + `"}`
}

func newBenchService(b *testing.B) *testService {
	b.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	d := &testService{clock: clock.Real(), store: s}
	if d.Service, err = New(Config{Store: s, Clock: d.clock, Seed: 1}); err != nil {
		b.Fatal(err)
	}
	d.send(b, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(b, http.MethodPost, "/dbs/db/colls\n"+`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`)
	for n := range 1000 {
		if w := d.send(b, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"a\"]\n"+benchBody(n)); w.Code != http.StatusCreated {
			b.Fatal(w.Body)
		}
	}
	return d
}

// signed returns the headers of a request, with a signature that is valid for 15 minutes.
func (d *testService) signed(method, link string) http.Header {
	date := time.Now().UTC().Format(http.TimeFormat)
	payload := strings.ToLower(method) + "\ndocs\n" + link + "\n" + strings.ToLower(date) + "\n\n"
	return http.Header{
		"X-Ms-Date":                    {date},
		"X-Ms-Version":                 {"2020-11-05"},
		"X-Ms-Documentdb-Partitionkey": {`["a"]`},
		"Authorization": {url.QueryEscape("type=master&ver=1.0&sig=" +
			base64.StdEncoding.EncodeToString(masterkey.Sign(d.Keys[0], payload)))},
	}
}

func BenchmarkRead(b *testing.B) {
	d := newBenchService(b)
	header := d.signed(http.MethodGet, "dbs/db/colls/c/docs/7")
	benchHTTP(b, d, http.MethodGet, "/dbs/db/colls/c/docs/7", header, func(int) string { return "" })
}

func BenchmarkReadAlone(b *testing.B) {
	d := newBenchService(b)
	header := d.signed(http.MethodGet, "dbs/db/colls/c/docs/7")
	benchAlone(b, d, http.MethodGet, "/dbs/db/colls/c/docs/7", header, func(int) string { return "" })
}

func BenchmarkCreate(b *testing.B) {
	d := newBenchService(b)
	header := d.signed(http.MethodPost, "dbs/db/colls/c")
	benchHTTP(b, d, http.MethodPost, "/dbs/db/colls/c/docs", header, func(n int) string { return benchBody(1000 + n) })
}

func BenchmarkCreateAlone(b *testing.B) {
	d := newBenchService(b)
	header := d.signed(http.MethodPost, "dbs/db/colls/c")
	benchAlone(b, d, http.MethodPost, "/dbs/db/colls/c/docs", header, func(n int) string { return benchBody(1000 + n) })
}

// BenchmarkBareHandler is the baseline for the others: 1 KB in, 1 KB out.
func BenchmarkBareHandler(b *testing.B) {
	answer := []byte(benchBody(1))
	benchHTTP(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		_, _ = w.Write(answer)
	}), http.MethodPost, "/", http.Header{}, benchBody)
}

func benchHTTP(b *testing.B, h http.Handler, method, path string, header http.Header, body func(int) string) {
	server := httptest.NewServer(h)
	defer server.Close()
	b.ReportAllocs()
	b.ResetTimer()
	for n := range b.N {
		r, err := http.NewRequest(method, server.URL+path, strings.NewReader(body(n)))
		if err != nil {
			b.Fatal(err)
		}
		r.Header = header.Clone()
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode >= http.StatusBadRequest {
			b.Fatal(answer.Status, err)
		}
		_ = answer.Body.Close()
	}
}

// discardWriter is a http.ResponseWriter that discards the response.
type discardWriter struct {
	header http.Header
	status int
}

func (w *discardWriter) Header() http.Header         { return w.header }
func (w *discardWriter) Write(p []byte) (int, error) { return len(p), nil }
func (w *discardWriter) WriteHeader(status int)      { w.status = status }

func benchAlone(b *testing.B, h http.Handler, method, path string, header http.Header, body func(int) string) {
	w := &discardWriter{header: http.Header{}}
	r := httptest.NewRequest(method, path, nil)
	r.Header = header
	b.ReportAllocs()
	b.ResetTimer()
	for n := range b.N {
		text := body(n)
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
		clear(w.header)
		if h.ServeHTTP(w, r); w.status >= http.StatusBadRequest {
			b.Fatal(w.status)
		}
	}
}
