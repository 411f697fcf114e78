package wire

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

const (
	maxExchanges = 300     // of a trace; further ones are only counted
	maxTraced    = 8 << 10 // bytes of a body that a trace keeps
)

// Exchange is a request and its response, as they were sent. Headers are left out, because they have credentials.
type Exchange struct {
	Step      int           // index of the scenario's step that it belongs to; -1: before the first
	Service   string        // api, dynamodb or cosmos
	Operation string        // the operation of DynamoDB, or the method and path
	Status    int           // 0: no response
	Elapsed   time.Duration // until the end of the response
	Request   string
	Response  string
	Error     string // why there is no response
	Truncated bool   // a body is longer than what is kept
}

// Trace keeps the requests and responses of one scenario. A nil Trace keeps nothing. It is safe for concurrent use.
type Trace struct {
	mu        sync.Mutex
	step      int
	exchanges []Exchange
	dropped   int
}

// NewTrace returns a trace at the time before the first step.
func NewTrace() *Trace { return &Trace{step: -1} }

// NextStep makes later requests belong to the next step.
func (t *Trace) NextStep() {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.step++
	}
}

// Exchanges returns what was kept, in the order of the responses, and how many further ones were not.
func (t *Trace) Exchanges() (kept []Exchange, dropped int) {
	if t == nil {
		return nil, 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.exchanges, t.dropped
}

// Wrap returns a RoundTripper that keeps the requests that it passes to base. A nil Trace returns base.
func (t *Trace) Wrap(service string, base http.RoundTripper) http.RoundTripper {
	if t == nil {
		return base
	}
	return tracer{t, service, base}
}

// tracer is the RoundTripper of a trace.
type tracer struct {
	*Trace
	service string
	base    http.RoundTripper
}

// RoundTrip sends the request and keeps it with its response.
func (t tracer) RoundTrip(req *http.Request) (*http.Response, error) {
	e := Exchange{Service: t.service, Operation: operationOf(req)}
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		_ = req.Body.Close() // it is read
		if err != nil {
			return nil, err
		}
		req = req.Clone(req.Context())
		req.Body = io.NopCloser(bytes.NewReader(body))
		e.Request = e.cut(body)
	}
	began := time.Now()
	res, err := t.base.RoundTrip(req)
	if err == nil {
		err = e.read(res)
	}
	if err != nil {
		e.Error = err.Error()
	}
	e.Elapsed = time.Since(began)
	t.add(e)
	return res, err
}

// read keeps the body of a response, which stays readable.
func (e *Exchange) read(res *http.Response) error {
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close() // it is read
	res.Body = io.NopCloser(bytes.NewReader(body))
	e.Status, e.Response = res.StatusCode, e.cut(body)
	return err
}

// cut returns the part of a body that is kept, as text.
func (e *Exchange) cut(body []byte) string {
	if len(body) > maxTraced {
		body, e.Truncated = body[:maxTraced], true
	}
	return strings.ToValidUTF8(string(body), "\uFFFD")
}

func (t tracer) add(e Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.exchanges) == maxExchanges {
		t.dropped++
		return
	}
	e.Step = t.step
	t.exchanges = append(t.exchanges, e)
}

// operationOf returns the operation of a request of AWS, and the method and path of another.
func operationOf(req *http.Request) string {
	if _, operation, ok := strings.Cut(req.Header.Get("X-Amz-Target"), "."); ok {
		return operation
	}
	return req.Method + " " + req.URL.RequestURI()
}

// CosmosPolicy returns a policy for a Cosmos DB client that keeps each try.
func (t *Trace) CosmosPolicy() policy.Policy { return tracePolicy{t} }

type tracePolicy struct{ *Trace }

// Do implements policy.Policy.
func (p tracePolicy) Do(req *policy.Request) (*http.Response, error) {
	return p.Wrap("cosmos", nextPolicy{req}).RoundTrip(req.Raw())
}

// nextPolicy passes a request to the next policy, which reads its body anew.
type nextPolicy struct{ *policy.Request }

// RoundTrip implements http.RoundTripper.
func (n nextPolicy) RoundTrip(*http.Request) (*http.Response, error) {
	if err := n.RewindBody(); err != nil {
		return nil, err
	}
	return n.Next()
}
