package advice

import (
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// key returns the key of a table, or of an index of it; the zero Key if it is not known.
func (v *Review) key(table, index string) Key {
	t := v.Tables[table]
	switch {
	case t == nil:
		return Key{}
	case index == "":
		return t.Key
	case t.Indexes[index] == nil:
		return Key{}
	}
	return t.Indexes[index].Key
}

// equality is a comparison of an attribute with a value in a key condition.
var equality = lazyregexp.New(`([^\s()=<>]+)\s*=\s*(:[A-Za-z0-9_]+)`)

// equals returns the value that a query's key condition compares an attribute with; nil if there is none.
func (r *Request) equals(attribute string) any {
	for _, m := range equality.FindAllStringSubmatch(r.text("KeyConditionExpression")) {
		if r.attribute(m[1]) == attribute {
			return object(r.Body["ExpressionAttributeValues"])[m[2]]
		}
	}
	if values := list(object(object(r.Body["KeyConditions"])[attribute])["AttributeValueList"]); len(values) == 1 {
		return values[0]
	}
	return nil
}

// attribute returns the attribute that a name in an expression stands for.
func (r *Request) attribute(name string) string {
	if strings.HasPrefix(name, "#") {
		name, _ = object(r.Body["ExpressionAttributeNames"])[name].(string)
	}
	return name
}
