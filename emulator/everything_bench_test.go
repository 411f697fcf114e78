package emulator_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// BenchmarkEverything measures two emulators in turn, window by window: a strict one, and one with everything on:
// signatures and policies, capacity and throttling, lag, conflicts, metrics, a stream and point-in-time recovery. It
// reports the throughput of the second as a share of the first's ("ratio", required is 0.80), and the time of one
// request of each.
func BenchmarkEverything(b *testing.B) {
	for _, w := range []struct {
		name    string
		request func(table string, n int) (operation, body string)
	}{
		{"put", func(table string, n int) (string, string) {
			return "PutItem", fmt.Sprintf(`{"TableName":%q,"Item":%s}`, table, benchItem(n))
		}},
		{"get", func(table string, n int) (string, string) {
			return "GetItem", fmt.Sprintf(`{"TableName":%q,"Key":{"pk":{"S":"pk-%d"}}}`, table, n*7919%benchItems)
		}},
	} {
		b.Run(w.name, func(b *testing.B) {
			strict := newBenchService(b, emulator.Run(b).AWSConfig())
			all := newBenchService(b, emulator.Run(b, allOptions()...).AWSConfigFor("bench"))
			all.enableRecovery(b)
			for _, c := range []*benchService{strict, all} {
				c.fill(b)
			}
			b.ResetTimer()
			b.StopTimer()
			for sent := 0; sent < b.N; sent += benchWindow {
				for _, c := range []*benchService{strict, all} {
					requests := c.sign(b, min(benchWindow, b.N), w.request)
					b.StartTimer()
					c.request(b, requests)
					b.StopTimer()
				}
			}
			b.ReportMetric(strict.perRequest(), "strict-ns/op")
			b.ReportMetric(all.perRequest(), "everything-ns/op")
			b.ReportMetric(strict.perRequest()/all.perRequest(), "ratio")
		})
	}
}

const (
	benchItems   = 10_000
	benchWindow  = 4_000
	benchClients = 16
)

// benchItem returns an item of about 400 bytes.
func benchItem(n int) string {
	return fmt.Sprintf(`{"pk":{"S":"pk-%d"},"bkt":{"S":"%010d"},"dev":{"S":"esp32-c3"},"temp":{"N":"21.375"},"hum":{"N":"48.25"},"ok":{"BOOL":true},`+
		`"meta":{"M":{"fw":{"S":"2.14.3"},"bat":{"N":"3.71"}}},"tags":{"L":[{"S":"roof"},{"S":"north"}]},"pad":{"S":%q}}`, n,
		n%10, strings.Repeat("k3v9x0q7", 33))
}

// benchPolicy is a typical policy of an application, with a condition on the key.
const benchPolicy = `
users:
  bench:
    keys: [{id: AKIABENCHBENCHBENCH1, secret: secret-of-bench}]
    inline:
      table:
        Version: "2012-10-17"
        Statement:
          - Effect: Allow
            Action: "dynamodb:*"
            Resource: "arn:aws:dynamodb:*:*:table/bench"
            Condition: {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["pk-*"]}}
`

// allOptions returns every option that adds work to a request.
func allOptions() []emulator.Option {
	return []emulator.Option{
		emulator.WithLikeCloud(emulator.Throttling, emulator.Lag, emulator.Conflicts),
		emulator.WithIdentitiesFrom(strings.NewReader(benchPolicy)),
	}
}

// benchService is an emulator with a table, and the time that its requests took.
type benchService struct {
	config   aws.Config
	client   *http.Client
	signer   *v4.Signer
	made     int
	requests int
	elapsed  time.Duration
}

const benchTable = "bench"

func newBenchService(b *testing.B, config aws.Config) *benchService {
	b.Helper()
	c := &benchService{config: config, signer: v4.NewSigner(),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: benchClients}}}
	b.Cleanup(c.client.CloseIdleConnections)
	_, err := dynamodb.NewFromConfig(c.config).CreateTable(b.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String(benchTable), BillingMode: types.BillingModeProvisioned,
		ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(40_000),
			WriteCapacityUnits: aws.Int64(40_000)},
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"),
			AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// enableRecovery turns on what logs changes.
func (c *benchService) enableRecovery(b *testing.B) {
	b.Helper()
	client := dynamodb.NewFromConfig(c.config)
	_, err := client.UpdateTable(b.Context(), &dynamodb.UpdateTableInput{TableName: aws.String(benchTable),
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewAndOldImages}})
	if err != nil {
		b.Fatal(err)
	}
	_, err = client.UpdateContinuousBackups(b.Context(),
		&dynamodb.UpdateContinuousBackupsInput{TableName: aws.String(benchTable),
			PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
				PointInTimeRecoveryEnabled: aws.Bool(true)}})
	if err != nil {
		b.Fatal(err)
	}
}

func (c *benchService) fill(b *testing.B) {
	b.Helper()
	c.request(b, c.sign(b, benchItems, func(table string, n int) (string, string) {
		return "PutItem", fmt.Sprintf(`{"TableName":%q,"Item":%s}`, table, benchItem(n))
	}))
	c.requests, c.elapsed = 0, 0
}

// signed is a signed request.
type signed struct {
	header http.Header
	body   []byte
}

func (c *benchService) sign(b *testing.B, n int, request func(table string, n int) (operation, body string)) []signed {
	b.Helper()
	all := make([]signed, n)
	for i := range all {
		operation, body := request(benchTable, c.made)
		c.made++
		r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, *c.config.BaseEndpoint+"/", nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
		credentials, err := c.config.Credentials.Retrieve(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		sum := sha256.Sum256([]byte(body))
		if err := c.signer.SignHTTP(b.Context(), credentials, r, hex.EncodeToString(sum[:]), "dynamodb", c.config.Region,
			time.Now()); err != nil {
			b.Fatal(err)
		}
		all[i] = signed{r.Header, []byte(body)}
	}
	return all
}

// request sends requests over 16 connections, one at a time on each.
func (c *benchService) request(b *testing.B, requests []signed) {
	b.Helper()
	began := time.Now()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range benchClients {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(requests)); i = next.Add(1) - 1 {
				if err := c.send(b.Context(), requests[i]); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	c.elapsed += time.Since(began)
	c.requests += len(requests)
}

func (c *benchService) send(ctx context.Context, s signed) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, *c.config.BaseEndpoint+"/", bytes.NewReader(s.body))
	if err != nil {
		return err
	}
	r.Header = s.header
	res, err := c.client.Do(r)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", res.Status, body)
	}
	return errorOr(err, res.Body.Close())
}

func errorOr(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

func (c *benchService) perRequest() float64 {
	return float64(c.elapsed.Nanoseconds()) / float64(c.requests)
}
