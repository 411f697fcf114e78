package dynamo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// BenchmarkRecoveryWrites compares writes of a table with point-in-time recovery, or with a stream, to those of a table
// without, over HTTP: of new and of existing items. Recovery must not add more than 15% to the cost of a write.
func BenchmarkRecoveryWrites(b *testing.B) {
	for _, keys := range []struct {
		name string
		of   func(i int) int
	}{{"new", func(i int) int { return i * 7919 }}, {"replace", func(i int) int { return i * 7919 % benchItems }}} {
		for _, with := range []string{"nothing", "recovery", "stream"} {
			b.Run(keys.name+"/"+with, func(b *testing.B) {
				s := newBenchService(b)
				follow(b, s, with)
				body := func(i int) []byte {
					return fmt.Appendf(nil, `{"TableName":"bench","Item":{%s}}`, benchItem(partition(keys.of(i)), "s",
						fmt.Sprintf(`,"v":{"N":"%d"}`, i)))
				}
				if keys.name == "replace" {
					a := newRequester(s, "PutItem")
					for i := range benchItems {
						a.send(b, body(i))
					}
				}
				overHTTP(b, s, body)
			})
		}
	}
}

// overHTTP puts items from all processors, as clients do.
func overHTTP(b *testing.B, s *Service, body func(i int) []byte) {
	server := httptest.NewServer(s)
	b.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	b.Cleanup(client.CloseIdleConnections)
	header := newRequester(s, "PutItem").req.Header
	var n atomic.Int64
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			request, err := http.NewRequest(http.MethodPost, server.URL, bytes.NewReader(body(int(n.Add(1)))))
			if err != nil {
				b.Fatal(err)
			}
			request.Header = header
			answer, err := client.Do(request)
			if err != nil || answer.StatusCode != http.StatusOK {
				b.Fatal(answer, err)
			}
			_, _ = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
	})
}

func follow(tb testing.TB, s *Service, with string) {
	switch with {
	case "recovery":
		mustAsk(tb, s, "UpdateContinuousBackups",
			`{"TableName":"bench","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	case "stream":
		mustAsk(tb, s, "UpdateTable",
			`{"TableName":"bench","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}}`)
	}
}

// BenchmarkRestoreMillion restores a table of 200,000 items to before 1,000,000 changes of 400 bytes each: it must take
// less than 20 seconds.
func BenchmarkRestoreMillion(b *testing.B) {
	const items, changes, batch = 200_000, 1_000_000, 25
	st, err := store.Open(store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	c := clock.Manual(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	s, err := New(Config{Store: st, Clock: c, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close(); st.Close() })
	mustAsk(b, s, "CreateTable", `{"TableName":"bench","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`)
	write := func(from, to int) {
		a := newRequester(s, "BatchWriteItem")
		var body bytes.Buffer
		for i := from; i < to; i += batch {
			body.Reset()
			body.WriteString(`{"RequestItems":{"bench":[`)
			for j := i; j < i+batch; j++ {
				fmt.Fprintf(&body, `{"PutRequest":{"Item":{%s}}},`, benchItem(partition(j%items), "s",
					fmt.Sprintf(`,"v":{"N":"%d"}`, j)))
			}
			body.Truncate(body.Len() - 1)
			body.WriteString(`]}}`)
			a.send(b, body.Bytes())
		}
	}
	write(0, items)
	follow(b, s, "recovery")
	if err := c.Advance(time.Hour); err != nil {
		b.Fatal(err)
	}
	write(items, items+changes)
	if err := c.Advance(time.Hour); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for i := range b.N {
		mustAsk(b, s, "RestoreTableToPointInTime",
			fmt.Sprintf(`{"SourceTableName":"bench","TargetTableName":"restored%d","RestoreDateTime":%d}`,
				i, c.Now().Add(-90*time.Minute).Unix()))
	}
	b.StopTimer()
	var answer struct{ Table struct{ ItemCount int } }
	if err := json.Unmarshal(mustAsk(b, s, "DescribeTable", `{"TableName":"restored0"}`), &answer); err != nil ||
		answer.Table.ItemCount != items {
		b.Fatalf("%d items were restored (%v), want %d", answer.Table.ItemCount, err, items)
	}
}
