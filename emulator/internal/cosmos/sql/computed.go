package sql

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Computed is a computed property of a container: its name, and the query that computes its value ("Computed
// properties").
type Computed struct {
	Name  string
	Query string // as in the container's definition
	// Volatile is set if the query calls NOW or AGO, which earlier versions accepted. No index has such a property.
	Volatile bool

	query *ast.Query
	nodes int // of the expression: the steps of computing it
	prog  *Program
}

// reservedNames are the system properties of items.
var reservedNames = map[string]bool{"id": true, "_rid": true, "_self": true, "_etag": true, "_ts": true,
	"_attachments": true, "_lsn": true}

// NewComputed parses the definition of a computed property at an index of the container's list. Errors have the
// service's messages, from the tests of the .NET SDK, except those about clauses and calls that are not allowed. The
// property that comes with an error is volatile.
func NewComputed(name, query string, index int) (*Computed, error) {
	switch {
	case name == "":
		return nil, sentenceError("Computed property 'name' is either empty or unspecified.")
	case query == "":
		return nil, sentenceError("Computed property 'query' is either empty or unspecified.")
	case reservedNames[name]:
		return nil, sentenceError("The system property name '%s' cannot be used as a computed property name.", name)
	}
	q, err := Parse(query)
	var prog *Program
	if err == nil {
		prog, err = Compile(q, Params{})
	}
	if wrong := (*Error)(nil); errors.As(err, &wrong) {
		return nil, sentenceError("Computed property at index (%d) has a malformed query: '%s' Error details: '%s'", index,
			query, wrong.Plain())
	}
	if err != nil {
		return nil, err
	}
	if q.Select.Value == nil {
		return nil, sentenceError("Required VALUE expression missing from computed property query '%s' at index (%d).", query,
			index)
	}
	const invalid = "The computed property query '%s' at index (%d) %s."
	if what := invalidComputedQuery(q); what != "" {
		return nil, sentenceError(invalid, query, index, what)
	}
	property := &Computed{Name: name, Query: query, query: q, prog: prog}
	ast.Walk(q.Select.Value, func(e ast.Expr) bool {
		property.nodes++
		if call, ok := e.(*ast.Call); ok && readsClock(call.Name) {
			property.Volatile, err = true, sentenceError(invalid, query, index, "must not call "+call.Name)
		}
		return true
	})
	return property, err
}

// sentenceError returns an error whose message is a whole sentence, as the service writes it.
func sentenceError(format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...)}
}

// invalidComputedQuery returns the reason why a query cannot define a computed property; empty: it can.
func invalidComputedQuery(q *ast.Query) string {
	switch {
	case q.From == nil || len(q.From.Sources) != 1 || q.From.Sources[0].Query != nil || q.From.Sources[0].In ||
		len(q.From.Sources[0].Path) > 0:
		return "must have a FROM clause that is the root item alone"
	case q.Where != nil || len(q.GroupBy) > 0 || q.OrderBy != nil || q.OffsetLimit != nil || q.Select.Top != nil ||
		q.Select.Distinct:
		return "must have no clauses but SELECT VALUE and FROM"
	}
	what := ""
	ast.Walk(q.Select.Value, func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Subquery:
			what = "must have no subqueries"
		case *ast.Param:
			what = "must have no parameters"
		case *ast.Call:
			if isAggregate(e) || e.UDF || isNondeterministic(e.Name) {
				what = "must not call " + e.Name
			}
		}
		return what == ""
	})
	return what
}

// isNondeterministic reports whether a function depends on more than its arguments, or is spatial. readsClock reports
// the others that do.
func isNondeterministic(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasPrefix(name, "GETCURRENT") || strings.HasPrefix(name, "ST_") || name == "RAND"
}

// readsClock reports whether a function is NOW or AGO.
func readsClock(name string) bool {
	return strings.EqualFold(name, "NOW") || strings.EqualFold(name, "AGO")
}

// Evaluate returns the property's value for a document; undefined if it has none or evaluating it fails.
func (c *Computed) Evaluate(document doc.Value) doc.Value {
	b := budget.New(context.Background(), budget.Limits{Steps: maxSteps / 16, Bytes: maxBytes / 16})
	f := c.prog.frame(context.Background(), b)
	f.slots[containerSlot] = document
	f.slots[c.prog.block.sources[0].slot] = document
	if v := c.prog.block.project(f); f.countSteps() && b.Step(0) == nil {
		return v
	}
	return doc.Value{}
}

// compiledProperty is a computed property in a query that refers to it, however often.
type compiledProperty struct {
	document int // the slot of the document of which value is computed
	value    eval
	computes bool
}

// computed compiles the value of a computed property for a slot that contains a whole document. It returns false if
// name is not a computed property.
func (c *compiler) computed(slot int, name string) (eval, bool) {
	property, ok := c.params.Computed[name]
	if !ok || !c.documents[slot] {
		return nil, false
	}
	p, ok := c.properties[name]
	if !ok {
		p = c.property(property)
		c.properties[name] = p
	}
	c.computes = c.computes || p.computes
	return func(f *frame) doc.Value {
		if !f.step(property.nodes) {
			return doc.Value{}
		}
		f.slots[p.document] = f.slots[slot]
		return p.value(f)
	}, true
}

// property compiles a computed property, which cannot use other ones.
func (c *compiler) property(property *Computed) compiledProperty {
	own := &compiler{params: c.params, slots: c.slots + 1, err: c.err}
	own.params.Computed = nil
	own.scope = &scope{names: map[string]int{aliasOf(&property.query.From.Sources[0]): c.slots}}
	p := compiledProperty{document: c.slots, value: own.expr(property.query.Select.Value), computes: own.computes}
	c.slots, c.err = own.slots, own.err
	return p
}
