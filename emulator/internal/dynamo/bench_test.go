package dynamo

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// These benchmarks run whole requests without HTTP. Their items have 400 bytes.

// newBenchService returns a service in memory with the table bench: keys pk and sk, and the index gsi1 by gpk and gsk.
func newBenchService(b *testing.B) *Service {
	b.Helper()
	st, err := store.Open(store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s, err := New(Config{Store: st, Clock: clock.Real(), Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close(); st.Close() })
	mustAsk(b, s, "CreateTable", `{"TableName":"bench","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},
			{"AttributeName":"gpk","AttributeType":"S"},{"AttributeName":"gsk","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"GlobalSecondaryIndexes":[{"IndexName":"gsi1","Projection":{"ProjectionType":"ALL"},
			"KeySchema":[{"AttributeName":"gpk","KeyType":"HASH"},{"AttributeName":"gsk","KeyType":"RANGE"}]}]}`)
	return s
}

// benchItem returns the members of an item.
func benchItem(pk, sk string, more ...string) string {
	return fmt.Sprintf(
		`"pk":{"S":%q},"sk":{"S":%q},"bkt":{"S":"%010d"},"dev":{"S":"esp32-c3"},"temp":{"N":"21.375"},"hum":{"N":"48.25"},`+
			`"cnt":{"N":"1"},"ok":{"BOOL":true},"meta":{"M":{"fw":{"S":"2.14.3"},"bat":{"N":"3.71"}}},"tags":{"L":[{"S":"roof"},{"S":"north"}]},"pad":{"S":%q}`,
		pk, sk, len(sk)%10, strings.Repeat("k3v9x0q7", 33)) + strings.Join(more, "")
}

// recorder discards a response and records its status and length.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

// requester sends requests repeatedly from one goroutine.
type requester struct {
	s    *Service
	req  *http.Request
	body bytes.Reader
	rec  recorder
}

func newRequester(s *Service, operation string) *requester {
	req, _ := http.NewRequest(http.MethodPost, "/", nil)
	req.Header = http.Header{
		"Content-Type": {"application/x-amz-json-1.0"},
		"X-Amz-Target": {"DynamoDB_20120810." + operation},
		"X-Amz-Date":   {"20260101T000000Z"},
		"Authorization": {
			"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00"},
	}
	return &requester{s: s, req: req, rec: recorder{header: http.Header{}}}
}

func (a *requester) send(tb testing.TB, body []byte) []byte {
	a.body.Reset(body)
	a.req.Body = io.NopCloser(&a.body)
	a.req.ContentLength = int64(len(body))
	clear(a.rec.header)
	a.rec.status = 0
	a.rec.body.Reset()
	a.s.ServeHTTP(&a.rec, a.req)
	if a.rec.status != http.StatusOK {
		tb.Fatalf("%s: %d %s", a.req.Header.Get("X-Amz-Target"), a.rec.status, a.rec.body.String())
	}
	return a.rec.body.Bytes()
}

func mustAsk(tb testing.TB, s *Service, operation, body string) []byte {
	tb.Helper()
	return newRequester(s, operation).send(tb, []byte(body))
}

// fill puts n items into partitions of 100, and into index partitions of 100.
func fill(b *testing.B, s *Service, n int) {
	b.Helper()
	a := newRequester(s, "PutItem")
	for i := range n {
		a.send(b, fmt.Appendf(nil, `{"TableName":"bench","Item":{%s}}`,
			benchItem(partition(i/100), fmt.Sprintf("s#%010d", i%100),
				fmt.Sprintf(`,"gpk":{"S":"g#%010d"},"gsk":{"S":"r#%010d"}`, i%(n/100), i))))
	}
}

func partition(i int) string { return fmt.Sprintf("p#%010d", i) }

// each sends the requests that body returns, from all processors.
func each(b *testing.B, s *Service, operation string, body func(i int) []byte) {
	b.Helper()
	var n atomic.Int64
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		a := newRequester(s, operation)
		for p.Next() {
			a.send(b, body(int(n.Add(1))))
		}
	})
}

const benchItems = 10_000

func BenchmarkPutItem(b *testing.B) {
	s := newBenchService(b)
	each(b, s, "PutItem", func(i int) []byte {
		return fmt.Appendf(nil, `{"TableName":"bench","Item":{%s}}`, benchItem(partition(i*7919), "s"))
	})
}

func BenchmarkGetItem(b *testing.B) {
	s := newBenchService(b)
	fill(b, s, benchItems)
	each(b, s, "GetItem", func(i int) []byte {
		return fmt.Appendf(nil, `{"TableName":"bench","Key":{"pk":{"S":"%s"},"sk":{"S":"s#%010d"}}}`, partition(i%100), i%97)
	})
}

func BenchmarkUpdateItem(b *testing.B) {
	s := newBenchService(b)
	fill(b, s, benchItems)
	each(b, s, "UpdateItem", func(i int) []byte {
		return fmt.Appendf(
			nil, `{"TableName":"bench","Key":{"pk":{"S":"%s"},"sk":{"S":"s#%010d"}},"ConditionExpression":"attribute_exists(pk) AND #c < :max",`+
				`"UpdateExpression":"SET #c = #c + :one","ExpressionAttributeNames":{"#c":"cnt"},"ExpressionAttributeValues":{":one":{"N":"1"},":max":{"N":"1000000000"}},"ReturnValues":"ALL_NEW"}`,
			partition(i%100), i%97)
	})
}

func BenchmarkTransactWriteItems(b *testing.B) {
	s := newBenchService(b)
	each(b, s, "TransactWriteItems", func(i int) []byte {
		return fmt.Appendf(
			nil, `{"TransactItems":[{"Put":{"TableName":"bench","Item":{"pk":{"S":"idem#%d"},"sk":{"S":"m"}},"ConditionExpression":"attribute_not_exists(pk)"}},`+
				`{"Put":{"TableName":"bench","Item":{%s}}}]}`, i, benchItem(partition(i*7919), "t"))
	})
}

func BenchmarkBatchWriteItem(b *testing.B) {
	s := newBenchService(b)
	each(b, s, "BatchWriteItem", func(i int) []byte {
		puts := make([]string, 25)
		for j := range puts {
			puts[j] = `{"PutRequest":{"Item":{` + benchItem(partition((i*25+j)*7919), "b") + `}}}`
		}
		return fmt.Appendf(nil, `{"RequestItems":{"bench":[%s]}}`, strings.Join(puts, ","))
	})
}
