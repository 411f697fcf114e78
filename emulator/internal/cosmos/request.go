package cosmos

import (
	"context"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// request is what an operation is asked: a path, headers and a body.
type request struct {
	ctx     context.Context
	method  string
	headers map[string][]string // by their names as net/http writes them
	route   route
	compute bool // it came by the compute gateway
	body    []byte
	turns   *budget.Pool // by which long requests take turns
}

// header is the value of a header, whose name is as net/http writes it; empty where it is not sent.
func (r *request) header(name string) string {
	if values := r.headers[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// flag is whether a header says true, in whatever case SDKs write it.
func (r *request) flag(name string) bool { return strings.EqualFold(r.header(name), "true") }

// json is the body as JSON, in text or binary form.
func (r *request) json() (doc.Value, *Error) {
	defer r.takeTurn().Close()
	v, err := doc.ParseAny(r.body)
	if err != nil {
		return doc.Value{}, invalidJSON(err)
	}
	return v, nil
}

// object is the body as a JSON object.
func (r *request) object() (doc.Value, *Error) {
	v, err := r.json()
	if err == nil && v.Kind() != doc.Map {
		return v, invalidInput("The request body must be a JSON object.")
	}
	return v, err
}

func invalidJSON(err error) *Error {
	return badRequest("The request payload is invalid. Ensure to provide a valid request payload. (%s)", err)
}

// checkMatch holds a request to its If-Match, against the etag of what is there.
func (r *request) checkMatch(etag string) *Error {
	if want := r.header("If-Match"); want != "" && want != "*" && want != etag {
		return preconditionFailed()
	}
	return nil
}

// unchanged says that the client has what there is, by its If-None-Match.
func (r *request) unchanged(etag string) bool {
	have := r.header("If-None-Match")
	return have != "" && (have == etag || have == "*")
}

// form is what headers make of a request.
type form string

const (
	NoForm    form = ""
	QueryForm form = "query"
	PlanForm  form = "plan"
	BatchForm form = "batch"
)

// queryType says that the content type is a query's: JSON with parameters, or the statement alone.
func (r *request) queryType() bool {
	kind, _, _ := strings.Cut(r.header("Content-Type"), ";")
	return kind == "application/query+json" || kind == "application/sql"
}

// form is what the headers make of the request. Python asks for a plan without saying that it is a query, so plans are told
// first.
func (r *request) form() form {
	if r.method != http.MethodPost || !r.route.feed {
		return NoForm
	}
	switch {
	case r.flag("X-Ms-Cosmos-Is-Query-Plan-Request"):
		return PlanForm
	case r.flag("X-Ms-Documentdb-Isquery"), r.flag("X-Ms-Documentdb-Query"), r.queryType():
		return QueryForm
	case r.flag("X-Ms-Cosmos-Is-Batch-Request"):
		return BatchForm
	}
	return NoForm
}

// bulky reports whether the request is a bulk: a batch that is not atomir.
func (r *request) bulky() bool {
	return r.form() == BatchForm && strings.EqualFold(r.header("X-Ms-Cosmos-Batch-Atomic"), "false")
}

// longBody is the size in bytes of a body from which its request is a long one: it takes a millisecond to read.
const longBody = 128 << 10

// takeTurn waits for a turn to parse a large body. The budget is to be closed; it is nil for other bodies.
func (r *request) takeTurn() *budget.Budget {
	if len(r.body) <= longBody {
		return nil
	}
	b := budget.New(r.ctx, budget.Limits{Pool: r.turns})
	b.TakeTurn()
	return b
}
