package wire

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// Recorder records the calls of the clients that it is added to. It is safe for concurrent use.
type Recorder struct {
	prefix string // removed from table names

	mu          sync.Mutex
	calls       []Call
	counts      map[callKind]int // since the beginning
	substitutes []*usedSubstitute
	barriers    []*callBarrier // newest first
	inFlight    map[string]int // by operation
	maxInFlight map[string]int // maximum of inFlight

	hooks hooks[Call]
}

// Substitute may respond to a call in place of the service, with an output or an error. ok reports whether it does. It
// simulates what the service may do and an emulator does not do on demand, such as an index that lags.
type Substitute func(operation string, input any) (output any, err error, ok bool)

// usedSubstitute is a substitute that may have responded to a call.
type usedSubstitute struct {
	respond Substitute
	used    atomic.Bool
}

// NewRecorder returns a Recorder that removes the prefix from table names.
func NewRecorder(prefix string) *Recorder {
	return &Recorder{prefix: prefix, counts: map[callKind]int{}}
}

// Client adds the recorder to a client. Pass it as one of the client's options.
func (r *Recorder) Client(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, r.Stack) }

// Stack adds the recorder to the clients of a config. Append it to aws.Config.APIOptions. It ignores clients of other
// services, and clients that already have a recorder.
func (r *Recorder) Stack(s *middleware.Stack) error {
	const id = "tabletop.record"
	if _, have := s.Initialize.Get(id); have {
		return nil
	}
	return s.Initialize.Add(middleware.InitializeMiddlewareFunc(id, r.record), middleware.Before)
}

// record runs at the top of the stack, so that a call counts once, however often the client retries below.
func (r *Recorder) record(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
	middleware.InitializeOutput, middleware.Metadata, error,
) {
	if middleware.GetServiceID(ctx) != dynamodb.ServiceID {
		return next.HandleInitialize(ctx, in)
	}
	operation := middleware.GetOperationName(ctx)
	call := describe(operation, r.prefix, in.Parameters)
	defer r.startCall(ctx, call)()
	if call.Err = r.hooks.run(call); call.Err != nil {
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
	r.counts[callKind{c.Operation, c.Table}]++
}

// callKind is what calls are counted by.
type callKind struct{ operation, table string }

// Count returns the number of calls of an operation on a table, or on any if it is empty, whatever Reset has cleared.
func (r *Recorder) Count(operation, table string) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for kind, count := range r.counts {
		if kind.operation == operation && (table == "" || kind.table == table) {
			n += count
		}
	}
	return n
}

func (r *Recorder) substitute(operation string, input any) (output any, err error, ok bool) {
	r.mu.Lock()
	subs := slices.Clone(r.substitutes)
	r.mu.Unlock()
	for _, s := range subs {
		if out, err, ok := s.respond(operation, input); ok {
			s.used.Store(true)
			return out, err, true
		}
	}
	return nil, nil, false
}

// AddSubstitute makes the substitute handle each later call first.
func (r *Recorder) AddSubstitute(s Substitute) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.substitutes = append(r.substitutes, &usedSubstitute{respond: s})
}

// AddInspector makes inspect see each later call, and perhaps change its input, before the call is sent.
func (r *Recorder) AddInspector(inspect func(operation string, input any)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &usedSubstitute{respond: func(operation string, input any) (any, error, bool) {
		inspect(operation, input)
		return nil, nil, false
	}}
	s.used.Store(true) // it is not to respond
	r.substitutes = append(r.substitutes, s)
}

// UnusedSubstitutes returns the number of substitutes that have responded to no call.
func (r *Recorder) UnusedSubstitutes() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.substitutes {
		if !s.used.Load() {
			n++
		}
	}
	return n
}

// Calls returns the calls since the last Reset, in the order of their responses.
func (r *Recorder) Calls() []Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.calls)
}

// Reset clears the recorded calls.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = nil
}
