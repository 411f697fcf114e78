package emulator_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
	"github.com/tabletop-db/tabletop/internal/explore"
)

// BenchmarkRecording measures two emulators in turn, window by window, of which one records its requests. It reports
// the median throughput of the recording one as a share of the other's ("ratio", required is 0.95).
func BenchmarkRecording(b *testing.B) {
	b.Run("dynamodb", func(b *testing.B) { compareRecording(b, emulator.WithRecording(io.Discard), writeAndReadItems) })
	b.Run("cosmos", func(b *testing.B) { compareRecording(b, emulator.WithRecording(io.Discard), writeAndReadDocuments) })
}

// BenchmarkExploring does the same with an emulator that reports its requests as in a run of Explore.
func BenchmarkExploring(b *testing.B) {
	var mu sync.Mutex
	out := json.NewEncoder(io.Discard)
	explored := emulator.WithExploration(nil, func(r explore.Request) {
		mu.Lock()
		defer mu.Unlock()
		_ = out.Encode(&r)
	})
	b.Run("dynamodb", func(b *testing.B) { compareRecording(b, explored, writeAndReadItems) })
	b.Run("cosmos", func(b *testing.B) { compareRecording(b, explored, writeAndReadDocuments) })
}

// writeAndReadItems returns a function that sends n requests to DynamoDB.
func writeAndReadItems(b *testing.B, e *emulator.Emulator) (send func(n int)) {
	c := newBenchService(b, e.AWSConfig())
	return func(n int) {
		half := func(operation, body string) func(string, int) (string, string) {
			return func(table string, n int) (string, string) { return operation, fmt.Sprintf(body, table, n) }
		}
		c.request(b, c.sign(b, n/2, half("PutItem", `{"TableName":%q,"Item":{"pk":{"S":"%d"},"pad":{"S":"`+benchPad+`"}}}`)))
		c.request(b, c.sign(b, n/2, half("GetItem", `{"TableName":%q,"Key":{"pk":{"S":"%d"}}}`)))
	}
}

// writeAndReadDocuments returns a function that sends n requests to Cosmos DB.
func writeAndReadDocuments(b *testing.B, e *emulator.Emulator) (send func(n int)) {
	c := newCosmosBench(b, e)
	return func(n int) {
		for range n / 2 {
			c.made++
			id := fmt.Sprint(c.made)
			c.send(b, http.MethodPost, "dbs/db/colls/c", "/docs", `{"id":"`+id+`","pk":"a","pad":"`+benchPad+`"}`)
			c.send(b, http.MethodGet, "dbs/db/colls/c/docs/"+id, "", "")
		}
	}
}

// benchPad makes an item of about 1 KB.
var benchPad = strings.Repeat("x", 950)

// compareRecording runs the requests of a client, which open returns, against two emulators, of which one has the
// option.
func compareRecording(b *testing.B, records emulator.Option,
	open func(*testing.B, *emulator.Emulator) (send func(n int))) {
	address := emulator.WithCosmosHTTPAddr("127.0.0.1:0")
	clients := []func(int){open(b, emulator.Run(b, address)), open(b, emulator.Run(b, address, records))}
	var elapsed [2][]time.Duration // of each window
	const window = 1000            // requests
	for b.Loop() {
		for i, send := range clients {
			began := time.Now()
			send(window)
			elapsed[i] = append(elapsed[i], time.Since(began))
		}
	}
	silent, recording := median(elapsed[0]), median(elapsed[1])
	b.ReportMetric(float64(silent.Nanoseconds())/window, "silent-ns/request")
	b.ReportMetric(float64(recording.Nanoseconds())/window, "recording-ns/request")
	b.ReportMetric(float64(silent)/float64(recording), "ratio")
}

// median returns the middle of some times, which other programs on the machine move less than the mean.
func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

// cosmosBench is a client with one connection to a container.
type cosmosBench struct {
	url    string
	key    []byte
	client *http.Client
	made   int
}

func newCosmosBench(b *testing.B, e *emulator.Emulator) *cosmosBench {
	b.Helper()
	key, err := base64.StdEncoding.DecodeString(e.CosmosPrimaryKey())
	if err != nil {
		b.Fatal(err)
	}
	c := &cosmosBench{url: e.CosmosHTTPURL(), key: key, client: &http.Client{Transport: &http.Transport{}}}
	b.Cleanup(c.client.CloseIdleConnections)
	c.send(b, http.MethodPost, "", "dbs", `{"id":"db"}`)
	c.send(b, http.MethodPost, "dbs/db", "/colls", `{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`)
	return c
}

// send sends a request to a resource, or to a feed of it.
func (c *cosmosBench) send(b *testing.B, method, link, feed, body string) {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), method, c.url+link+feed, bytes.NewReader([]byte(body)))
	if err != nil {
		b.Fatal(err)
	}
	kind, date := strings.Trim(feed, "/"), time.Now().UTC().Format(http.TimeFormat)
	if feed == "" {
		kind = "docs"
	}
	payload := strings.ToLower(method) + "\n" + kind + "\n" + link + "\n" + strings.ToLower(date) + "\n\n"
	r.Header = http.Header{"X-Ms-Date": {date}, "X-Ms-Version": {"2020-11-05"}, "X-Ms-Documentdb-Partitionkey": {`["a"]`},
		"Authorization": {url.QueryEscape("type=master&ver=1.0&sig=" +
			base64.StdEncoding.EncodeToString(masterkey.Sign(c.key, payload)))}}
	response, err := c.client.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	if text, err := io.ReadAll(response.Body); err != nil || response.StatusCode >= http.StatusBadRequest {
		b.Fatal(response.Status, string(text), err)
	}
}
