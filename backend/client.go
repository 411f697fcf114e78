package backend

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/internal/util/plainhttp"
)

const (
	// idleConnections is the maximum number of concurrent transactions of the telemetry service: fewer would close and
	// reopen connections at the peak.
	idleConnections = 256
	callAttempts    = 4
	callTimeout     = 10 * time.Second // of one attempt, from the request sent to the first byte of the response, or its end
)

func newClient(cfg Config) *dynamodb.Client {
	options := append([]func(*dynamodb.Options){func(o *dynamodb.Options) {
		o.HTTPClient = httpClient(cfg.AWS)
		if cfg.AWS.Retryer == nil {
			o.Retryer = newRetryer()
		}
	}}, cfg.ClientOptions...)
	return dynamodb.NewFromConfig(cfg.AWS, options...)
}

// httpClient returns the HTTP client for the SDK. A client that the caller supplied stays as it is. The SDK's own
// client, which loading an AWS configuration sets, gets our limits: it keeps only 10 idle connections per host. A
// database without TLS, as an emulator on the same machine, gets requests that cost less CPU time.
func httpClient(cfg aws.Config) aws.HTTPClient {
	client, own := cfg.HTTPClient.(*awshttp.BuildableClient)
	switch {
	case cfg.HTTPClient == nil:
		client = awshttp.NewBuildableClient()
	case !own:
		return cfg.HTTPClient
	}
	client = client.WithTransportOptions(setLimits)
	if !strings.HasPrefix(aws.ToString(cfg.BaseEndpoint), "http://") {
		return client
	}
	return &plainhttp.Transport{Base: client.GetTransport(), Timeout: callTimeout, Idle: idleConnections}
}

func setLimits(t *http.Transport) {
	t.MaxIdleConns, t.MaxIdleConnsPerHost = idleConnections, idleConnections
	t.ResponseHeaderTimeout = callTimeout
	t.TLSClientConfig = atLeastTLS12(t.TLSClientConfig)
}

// newRetryer returns the SDK's standard mode with pauses that suit a database: a random part of 25 ms, doubled with
// each attempt, where the standard starts with a second.
func newRetryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = callAttempts
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, _ error) (time.Duration, error) {
			return rand.N(25*time.Millisecond<<min(attempt, 6)) + time.Millisecond, nil
		})
	})
}
