package telemetry

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// faultyTransport is a transport between the service and its database that records calls and can inject faults.
type faultyTransport struct {
	mu    sync.Mutex
	calls []call
	fault func(c call) injectedFault
}

// call is a request to the database: its operation, such as PutItem, and its body.
type call struct{ operation, body string }

// injectedFault is a fault that is injected into a call; the zero fault forwards it.
type injectedFault struct {
	body         string // body of the transport's own response
	status       int    // status of that response; 0: 400
	lostResponse bool   // the database applies the call, but its response is lost: the sender gets body, or no response
}

// RoundTrip forwards a request, unless the fault decides otherwise.
func (w *faultyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	v := w.record(call{operation, string(body)})
	if v.body == "" || v.lostResponse {
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil || !v.lostResponse {
			return response, err
		}
		response.Body.Close()
	}
	if v.body == "" {
		return nil, errors.New("connection reset by the test")
	}
	return &http.Response{
		StatusCode: cmp.Or(v.status, 400), Request: r, Body: io.NopCloser(strings.NewReader(v.body)),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
	}, nil
}

func (w *faultyTransport) record(c call) (v injectedFault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, c)
	if w.fault != nil {
		v = w.fault(c)
	}
	return v
}

// setFault sets the fault from now on; nil removes it.
func (w *faultyTransport) setFault(fault func(c call) injectedFault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault, w.calls = fault, nil
}

// recorded returns the operations since setFault was called.
func (w *faultyTransport) recorded() (operations []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.calls {
		operations = append(operations, c.operation)
	}
	return operations
}

// firstCalls applies a fault to the first n calls of an operation.
func firstCalls(n int, operation string, v injectedFault) func(call) injectedFault {
	return func(c call) injectedFault {
		if c.operation != operation || n == 0 {
			return injectedFault{}
		}
		n--
		return v
	}
}

// cancelled is the response to a transaction that was cancelled for these reasons, in the order of its actions.
func cancelled(reasons ...string) injectedFault {
	parts := make([]string, 0, len(reasons))
	for _, reason := range reasons {
		parts = append(parts, `{"Code":"`+reason+`"}`)
	}
	return injectedFault{body: `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",` +
		`"Message":"Transaction cancelled","CancellationReasons":[` + strings.Join(parts, ",") + `]}`}
}

// testClient returns a client of a database, connected through w, that retries without pauses.
func testClient(cfg aws.Config, w *faultyTransport) *dynamodb.Client {
	cfg.HTTPClient = &http.Client{Transport: w}
	if cfg.Retryer == nil {
		cfg.Retryer = func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) { o.Backoff = retry.NewExponentialJitterBackoff(1) })
		}
	}
	return dynamodb.NewFromConfig(cfg)
}
