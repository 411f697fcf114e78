package wire

import (
	"context"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// Recorder writes down the calls of the clients that it is added to. It is safe for concurrent use.
type Recorder struct {
	prefix string // taken off table names

	mu       sync.Mutex
	calls    []Call
	subs     []Substitute
	gathered []*gathering   // the newest first
	underWay map[string]int // by operation
	most     map[string]int // of underWay, at once

	before interruptions[Call]
}

// Substitute may answer a call in the service's place, with an output or an error: ok says whether it does. It stands
// for what the service may do and an emulator does not do on demand, such as an index that lags.
type Substitute func(operation string, input any) (output any, err error, ok bool)

// NewRecorder returns a Recorder that takes the prefix off table names.
func NewRecorder(prefix string) *Recorder {
	return &Recorder{prefix: prefix}
}

// Client adds the recorder to a client: pass it where a client takes options.
func (r *Recorder) Client(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, r.Stack) }

// Stack adds the recorder to the clients of a config: append it to aws.Config.APIOptions. Clients of other services are
// left alone, and one that has a recorder already keeps that.
func (r *Recorder) Stack(s *middleware.Stack) error {
	const id = "tabletop.record"
	if _, have := s.Initialize.Get(id); have {
		return nil
	}
	return s.Initialize.Add(middleware.InitializeMiddlewareFunc(id, r.record), middleware.Before)
}

// record sits at the top of the stack: one call is one call, however often the client retries below.
func (r *Recorder) record(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
	middleware.InitializeOutput, middleware.Metadata, error,
) {
	if middleware.GetServiceID(ctx) != dynamodb.ServiceID {
		return next.HandleInitialize(ctx, in)
	}
	operation := middleware.GetOperationName(ctx)
	call := describe(operation, r.prefix, in.Parameters)
	defer r.begin(ctx, call)()
	if call.Err = r.before.run(call); call.Err != nil {
		r.add(call)
		return middleware.InitializeOutput{}, middleware.Metadata{}, call.Err
	}
	if out, err, ok := r.substitute(operation, in.Parameters); ok {
		call.Err = err
		r.add(call)
		return middleware.InitializeOutput{Result: out}, middleware.Metadata{}, err
	}
	out, meta, err := next.HandleInitialize(ctx, in)
	call.Err = err
	r.add(call)
	return out, meta, err
}

func (r *Recorder) add(c Call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, c)
}

func (r *Recorder) substitute(operation string, input any) (output any, err error, ok bool) {
	r.mu.Lock()
	subs := slices.Clone(r.subs)
	r.mu.Unlock()
	for _, s := range subs {
		if out, err, ok := s(operation, input); ok {
			return out, err, true
		}
	}
	return nil, nil, false
}

// Answer has the substitute asked before each later call.
func (r *Recorder) Answer(s Substitute) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.subs = append(r.subs, s)
}

// Calls returns what was said since the last Reset, in the order in which the answers came.
func (r *Recorder) Calls() []Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.calls)
}

// Reset forgets the calls so far.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = nil
}
