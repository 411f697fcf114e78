package query

import (
	"crypto/sha256"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// QuerySpec is a query in a request's body: {"query": text, "parameters": [{"name": "@p", "value": v}]}.
type QuerySpec struct {
	Text       string
	Query      *ast.Query
	parameters map[string]doc.Value // by name, including the @
	body       doc.Value
}

// readQuerySpec reads the request's query. With the content type application/sql, the body is the text of the query.
func readQuerySpec(r *operation.Request) (*QuerySpec, *wire.Error) {
	body, err := queryBody(r)
	if err != nil {
		return nil, err
	}
	return ParseQuery(body)
}

// ParseQuery parses a query in the form of a request's body.
func ParseQuery(body doc.Value) (spec *QuerySpec, err *wire.Error) {
	text := body.Field("query")
	if text.Kind() != doc.Text {
		return nil, wire.BadRequest("The input content is invalid because the required properties - 'query; ' - are missing")
	}
	spec = &QuerySpec{Text: text.Str(), body: body}
	if spec.parameters, err = queryParameters(body.Field("parameters")); err != nil {
		return nil, err
	}
	q, parseErr := sql.Parse(spec.Text)
	if parseErr != nil {
		return nil, QueryError(parseErr)
	}
	spec.Query = q
	return spec, nil
}

func queryBody(r *operation.Request) (doc.Value, *wire.Error) {
	if r.Header("Content-Type") == "application/sql" {
		return doc.Object(doc.Member{Name: "query", Value: doc.String(string(r.Body))}), nil
	}
	return r.Object()
}

// queryParameters returns the parameters by name. A parameter without a value is undefined.
func queryParameters(list doc.Value) (map[string]doc.Value, *wire.Error) {
	if list.Defined() && list.Kind() != doc.List && list.Kind() != doc.Null {
		return nil, wire.BadRequest("The input content is invalid because the property 'parameters' is not an array.")
	}
	parameters := make(map[string]doc.Value, list.Len())
	for _, p := range list.Elements() {
		name := p.Field("name").Str()
		if len(name) < 2 || name[0] != '@' || !ast.IsNameByte(name[1], true) || !isName(name[2:]) {
			return nil, wire.BadRequest("Parameter names should be in the format of symbol '@' followed by a valid identifier.")
		}
		if _, twice := parameters[name]; twice {
			return nil, wire.BadRequest("Specified duplicate parameter name '%s'.", name)
		}
		parameters[name] = p.Field("value")
	}
	return parameters, nil
}

func isName(s string) bool {
	for i := range len(s) {
		if !ast.IsNameByte(s[i], false) {
			return false
		}
	}
	return true
}

// QueryError converts the error of a query to a wire error, with the message of the component that found it.
func QueryError(err error) *wire.Error {
	var compile *sql.Error
	var plan *sqlplan.GatewayError
	var member *sqlplan.Error
	switch {
	case errors.As(err, &compile):
		return wire.BadRequest("Message: %s", compile.Body())
	case errors.As(err, &member):
		return wire.BadRequest("Message: %s", member.Error())
	case errors.As(err, &plan) && plan.Plan != nil:
		e := wire.BadRequest("%s", plan.Message)
		e.Substatus = plan.SubStatus
		e.AdditionalMembers = []doc.Member{{Name: "additionalErrorInfo", Value: doc.String(string(plan.Plan.Append(nil)))}}
		return e
	}
	return wire.BadRequest("%s", err)
}

// fingerprint identifies a query in its continuations: it is the same for the same text and parameters.
func (q *QuerySpec) fingerprint() [8]byte {
	sum := sha256.Sum256(doc.Append([]byte(q.Text+"\x00"), q.body.Field("parameters")))
	return [8]byte(sum[:8])
}

// planRequest returns the query in the form of the planner, for a container.
func (q *QuerySpec) planRequest(container *engine.Container) *sqlplan.Request {
	def := container.Definition.Load()
	return &sqlplan.Request{Query: q.Query, Parameters: q.parameters, Key: &def.Key, Distance: func(path string) string {
		return distance(def, path)
	}}
}

// embeddings returns the options of the container's vector embeddings, by path.
func embeddings(d *engine.Definition) map[string]doc.Value {
	all := map[string]doc.Value{}
	for _, e := range d.Resource.Field("vectorEmbeddingPolicy").Field("vectorEmbeddings").Elements() {
		all[e.Field("path").Str()] = doc.Object(
			doc.Member{Name: "distanceFunction", Value: e.Field("distanceFunction")},
			doc.Member{Name: "dataType", Value: e.Field("dataType")})
	}
	return all
}

// distance returns the distance function of the vectors at a path; empty if the container's policy has none there.
func distance(d *engine.Definition, path string) string {
	return embeddings(d)[path].Field("distanceFunction").Str()
}
