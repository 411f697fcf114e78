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

// QuerySpec is a query as a request's body has it: {"query": text, "parameters": [{"name": "@p", "value": v}]}.
type QuerySpec struct {
	Text       string
	Query      *ast.Query
	parameters map[string]doc.Value // by name, with the @
	body       doc.Value
}

// readQuerySpec reads the request's query. A body that is no JSON but begins as a statement is the query itself:
// content type application/sql.
func readQuerySpec(r *operation.Request) (*QuerySpec, *wire.Error) {
	body, err := queryBody(r)
	if err != nil {
		return nil, err
	}
	return ParseQuery(body)
}

// ParseQuery reads a query as a body has it.
func ParseQuery(body doc.Value) (spec *QuerySpec, err *wire.Error) {
	text := body.Field("query")
	if text.Kind() != doc.Text {
		return nil, wire.BadRequest("The input content is invalid because the required properties - 'query; ' - are missing")
	}
	spec = &QuerySpec{Text: text.Str(), body: body}
	if spec.parameters, err = queryParameters(body.Field("parameters")); err != nil {
		return nil, err
	}
	q, problem := sql.Parse(spec.Text)
	if problem != nil {
		return nil, QueryError(problem)
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

// queryParameters are the parameters by name. One without a value is undefined, as is one that is not there.
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

// QueryError is a query that cannot be run, in the words of whoever found out.
func QueryError(err error) *wire.Error {
	var compile *sql.Error
	var plan *sqlplan.RefusedError
	var member *sqlplan.Error
	switch {
	case errors.As(err, &compile):
		return wire.BadRequest("Message: %s", compile.Body())
	case errors.As(err, &member):
		return wire.BadRequest("Message: %s", member.Error())
	case errors.As(err, &plan) && plan.Plan != nil:
		e := wire.BadRequest("%s", plan.Message)
		e.Substatus = plan.SubStatus
		e.More = []doc.Member{{Name: "additionalErrorInfo", Value: doc.String(string(plan.Plan.Append(nil)))}}
		return e
	}
	return wire.BadRequest("%s", err)
}

// fingerprint tells queries apart that a continuation could be used with: it is the same for the same text and
// parameters.
func (q *QuerySpec) fingerprint() [8]byte {
	sum := sha256.Sum256(doc.Append([]byte(q.Text+"\x00"), q.body.Field("parameters")))
	return [8]byte(sum[:8])
}

// planned is the query as the gateway looks at it, for a container.
func (q *QuerySpec) planned(of *engine.Container) *sqlplan.Request {
	def := of.Definition.Load()
	return &sqlplan.Request{Query: q.Query, Parameters: q.parameters, Key: &def.Key, Distance: func(path string) string { return distance(def, path) }}
}

// embeddings are the options of the vectors that the container's policy has, by their paths.
func embeddings(d *engine.Definition) map[string]doc.Value {
	all := map[string]doc.Value{}
	for _, e := range d.Resource.Field("vectorEmbeddingPolicy").Field("vectorEmbeddings").Elements() {
		all[e.Field("path").Str()] = doc.Object(
			doc.Member{Name: "distanceFunction", Value: e.Field("distanceFunction")},
			doc.Member{Name: "dataType", Value: e.Field("dataType")})
	}
	return all
}

// distance is the distance function of the vectors at a path; empty where the container's policy has none there.
func distance(d *engine.Definition, path string) string {
	return embeddings(d)[path].Field("distanceFunction").Str()
}
