package advice

import "strings"

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

// equals returns the value that a query's key condition compares an attribute with; nil if there is none.
func (r *Request) equals(name string) any {
	for _, m := range comparison.FindAllStringSubmatch(r.text("KeyConditionExpression")) {
		if attribute(r.Body, m[1]) == name {
			return object(r.Body["ExpressionAttributeValues"])[m[2]]
		}
	}
	if values := list(object(object(r.Body["KeyConditions"])[name])["AttributeValueList"]); len(values) == 1 {
		return values[0]
	}
	return nil
}

// attribute returns the attribute that a name in an expression of a request, or of a part of it, stands for.
func attribute(part map[string]any, name string) string {
	if strings.HasPrefix(name, "#") {
		name, _ = object(part["ExpressionAttributeNames"])[name].(string)
	}
	return name
}
