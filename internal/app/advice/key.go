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

// withKey names what a query of a table by a key can read, the table itself or an index; empty if nothing has that key.
// An empty sort is any sort key, or none.
func (v *Review) withKey(table, partition, sort string) string {
	t := v.Tables[table]
	if t == nil {
		return ""
	}
	has := func(k Key) bool { return k.Partition == partition && (sort == "" || k.Sort == sort) }
	if has(t.Key) {
		return "the table"
	}
	for name, x := range ordered(t.Indexes) {
		if has(x.Key) {
			return "the index " + name
		}
	}
	return ""
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
