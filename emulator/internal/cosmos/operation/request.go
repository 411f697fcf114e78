package operation

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Request is what an operation is asked: a path, headers and a body.
type Request struct {
	ctx     context.Context
	Method  string
	Headers map[string][]string // by their names as net/http writes them
	Route   wire.Route
	Compute bool // it came by the compute gateway
	SameID  bool // its token is for one item, to which it may give no other id
	Body    []byte
	of      *Account // which the request is sent to
}

// Header is the value of a header, whose name is as net/http writes it; empty where it is not sent.
func (r *Request) Header(name string) string {
	if values := r.Headers[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// Flag is whether a header says true, in whatever case SDKs write it.
func (r *Request) Flag(name string) bool { return strings.EqualFold(r.Header(name), "true") }

// JSON is the body as JSON, in text or binary form.
func (r *Request) JSON() (doc.Value, *wire.Error) {
	defer r.takeTurn().Close()
	v, err := doc.ParseAny(r.Body)
	if err != nil {
		return doc.Value{}, invalidJSON(err)
	}
	return v, nil
}

// Object is the body as a JSON object.
func (r *Request) Object() (doc.Value, *wire.Error) {
	v, err := r.JSON()
	if err == nil && v.Kind() != doc.Map {
		return v, wire.InvalidInput("The request body must be a JSON object.")
	}
	return v, err
}

func invalidJSON(err error) *wire.Error {
	return wire.BadRequest("The request payload is invalid. Ensure to provide a valid request payload. (%s)", err)
}

// queryType reports whether the content type is a query's: JSON with parameters, or the statement alone.
func (r *Request) queryType() bool {
	kind, _, _ := strings.Cut(r.Header("Content-Type"), ";")
	return kind == "application/query+json" || kind == "application/sql"
}

// Conditions are those of the request's headers.
func (r *Request) Conditions() engine.Conditions {
	return engine.Conditions{Match: r.Header("If-Match"), NoneMatch: r.Header("If-None-Match")}
}

// Form is what the headers make of the request. Python asks for a plan without saying that it is a query, so plans are
// told first.
func (r *Request) Form() wire.Form {
	if r.Method != http.MethodPost || !r.Route.Feed {
		return wire.NoForm
	}
	switch {
	case r.Flag("X-Ms-Cosmos-Is-Query-Plan-Request"):
		return wire.PlanForm
	case r.Flag("X-Ms-Documentdb-Isquery"), r.Flag("X-Ms-Documentdb-Query"), r.queryType():
		return wire.QueryForm
	case r.Flag("X-Ms-Cosmos-Is-Batch-Request"):
		return wire.BatchForm
	}
	return wire.NoForm
}

// Bulky reports whether the request is a bulk: a batch that is not atomir.
func (r *Request) Bulky() bool {
	return r.Form() == wire.BatchForm && strings.EqualFold(r.Header("X-Ms-Cosmos-Batch-Atomic"), "false")
}

// longBody is the size in bytes of a body from which its request is a long one: it takes a millisecond to read.
const longBody = 128 << 10

// takeTurn waits for a turn to parse a large body. The budget is to be closed; it is nil for other bodies.
func (r *Request) takeTurn() *budget.Budget {
	if len(r.Body) <= longBody {
		return nil
	}
	b := budget.New(r.ctx, budget.Limits{Pool: r.of.Pool})
	b.TakeTurn()
	return b
}

// Machine is the time on the machine's clock.
func (r *Request) Machine() time.Time { return r.of.Clock.Machine() }
