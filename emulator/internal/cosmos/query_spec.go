package cosmos

import (
	"crypto/sha256"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"
)

// querySpec is a query as a request's body has it: {"query": text, "parameters": [{"name": "@p", "value": v}]}.
type querySpec struct {
	text       string
	query      *ast.Query
	parameters map[string]doc.Value // by name, with the @
	body       doc.Value
}

// readQuerySpec reads the request's query. A body that is no JSON but begins as a statement is the query itself: content type
// application/sql.
func (c *call) readQuerySpec() (*querySpec, *Error) {
	body, err := c.queryBody()
	if err != nil {
		return nil, err
	}
	return parseQuery(body)
}

// parseQuery reads a query as a body has it.
func parseQuery(body doc.Value) (spec *querySpec, err *Error) {
	text := body.Field("query")
	if text.Kind() != doc.Text {
		return nil, badRequest("The input content is invalid because the required properties - 'query; ' - are missing")
	}
	spec = &querySpec{text: text.Str(), body: body}
	if spec.parameters, err = queryParameters(body.Field("parameters")); err != nil {
		return nil, err
	}
	q, problem := sql.Parse(spec.text)
	if problem != nil {
		return nil, queryError(problem)
	}
	spec.query = q
	return spec, nil
}

func (c *call) queryBody() (doc.Value, *Error) {
	if c.header("Content-Type") == "application/sql" {
		return doc.Object(doc.Member{Name: "query", Value: doc.String(string(c.body))}), nil
	}
	return c.object()
}

// queryParameters are the parameters by name. One without a value is undefined, as is one that is not there.
func queryParameters(list doc.Value) (map[string]doc.Value, *Error) {
	if list.Defined() && list.Kind() != doc.List && list.Kind() != doc.Null {
		return nil, badRequest("The input content is invalid because the property 'parameters' is not an array.")
	}
	parameters := make(map[string]doc.Value, list.Len())
	for _, p := range list.Elements() {
		name := p.Field("name").Str()
		if len(name) < 2 || name[0] != '@' || !ast.IsNameByte(name[1], true) || !isName(name[2:]) {
			return nil, badRequest("Parameter names should be in the format of symbol '@' followed by a valid identifier.")
		}
		if _, twice := parameters[name]; twice {
			return nil, badRequest("Specified duplicate parameter name '%s'.", name)
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

// queryError is a query that cannot be run, in the words of whoever found out.
func queryError(err error) *Error {
	var compile *sql.Error
	var plan *sqlplan.RefusedError
	var member *sqlplan.Error
	switch {
	case errors.As(err, &compile):
		return badRequest("Message: %s", compile.Body())
	case errors.As(err, &member):
		return badRequest("Message: %s", member.Error())
	case errors.As(err, &plan) && plan.Plan != nil:
		e := badRequest("%s", plan.Message)
		e.Substatus = plan.SubStatus
		e.More = []doc.Member{{Name: "additionalErrorInfo", Value: doc.String(string(plan.Plan.Append(nil)))}}
		return e
	}
	return badRequest("%s", err)
}

// fingerprint tells queries apart that a continuation could be used with: it is the same for the same text and parameters.
func (q *querySpec) fingerprint() [8]byte {
	sum := sha256.Sum256(doc.Append([]byte(q.text+"\x00"), q.body.Field("parameters")))
	return [8]byte(sum[:8])
}

// planned is the query as the gateway looks at it, for a container.
func (q *querySpec) planned(of *container) *sqlplan.Request {
	def := of.definition.Load()
	return &sqlplan.Request{Query: q.query, Parameters: q.parameters, Key: &def.key, Distance: func(path string) string { return def.distance(path) }}
}

// embeddings are the options of the vectors that the container's policy has, by their paths.
func (d *definition) embeddings() map[string]doc.Value {
	all := map[string]doc.Value{}
	for _, e := range d.resource.Field("vectorEmbeddingPolicy").Field("vectorEmbeddings").Elements() {
		all[e.Field("path").Str()] = doc.Object(
			doc.Member{Name: "distanceFunction", Value: e.Field("distanceFunction")},
			doc.Member{Name: "dataType", Value: e.Field("dataType")})
	}
	return all
}

// distance is the distance function of the vectors at a path; empty where the container's policy has none there.
func (d *definition) distance(path string) string {
	return d.embeddings()[path].Field("distanceFunction").Str()
}
