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

// Request is the request of an operation: path, headers and body.
type Request struct {
	ctx            context.Context
	Method         string
	Headers        map[string][]string // by canonical names, as in net/http
	Route          wire.Route
	ComputeGateway bool // it came through the compute gateway
	ImmutableID    bool // its resource token is for one item, whose id it may not change
	Body           []byte
	ShortPage      bool     // a fault rule allows one row in the page
	account        *Account // that the request is for
}

// Header returns the value of a header; empty if it is missing. The name must be canonical, as in net/http.
func (r *Request) Header(name string) string {
	if values := r.Headers[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// Flag reports whether a header is true, in any case.
func (r *Request) Flag(name string) bool { return strings.EqualFold(r.Header(name), "true") }

// JSON returns the body parsed as JSON, in text or binary form.
func (r *Request) JSON() (doc.Value, *wire.Error) {
	defer r.takeTurn().Close()
	v, err := doc.ParseAny(r.Body)
	if err != nil {
		return doc.Value{}, invalidJSON(err)
	}
	return v, nil
}

// Object returns the body parsed as a JSON object.
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

// hasQueryContentType reports whether the content type is that of a query: JSON with parameters, or the statement
// alone.
func (r *Request) hasQueryContentType() bool {
	kind, _, _ := strings.Cut(r.Header("Content-Type"), ";")
	return kind == "application/query+json" || kind == "application/sql"
}

// Conditions returns the conditions in the request's headers.
func (r *Request) Conditions() engine.Conditions {
	return engine.Conditions{Match: r.Header("If-Match"), NoneMatch: r.Header("If-None-Match")}
}

// Form returns what the headers make of a POST to a feed. The Python SDK requests a query plan without marking the
// request as a query, so plans are checked first.
func (r *Request) Form() wire.Form {
	if r.Method != http.MethodPost || !r.Route.Feed {
		return wire.NoForm
	}
	switch {
	case r.Flag("X-Ms-Cosmos-Is-Query-Plan-Request"):
		return wire.PlanForm
	case r.Flag("X-Ms-Documentdb-Isquery"), r.Flag("X-Ms-Documentdb-Query"), r.hasQueryContentType():
		return wire.QueryForm
	case r.Flag("X-Ms-Cosmos-Is-Batch-Request"):
		return wire.BatchForm
	}
	return wire.NoForm
}

// IsBulk reports whether the request is a bulk: a batch that is not atomic.
func (r *Request) IsBulk() bool {
	return r.Form() == wire.BatchForm && strings.EqualFold(r.Header("X-Ms-Cosmos-Batch-Atomic"), "false")
}

// largeBody is the size in bytes from which a body counts as large: parsing it takes about a millisecond.
const largeBody = 128 << 10

// takeTurn waits for a turn to parse a large body. The caller closes the budget, which is nil for other bodies.
func (r *Request) takeTurn() *budget.Budget {
	if len(r.Body) <= largeBody {
		return nil
	}
	b := budget.New(r.ctx, budget.Limits{Pool: r.account.Pool})
	b.TakeTurn()
	return b
}

// MachineTime returns the time of the machine's clock.
func (r *Request) MachineTime() time.Time { return r.account.Clock.Machine() }
