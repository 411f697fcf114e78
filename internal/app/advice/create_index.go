package advice

import (
	"encoding/json"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// comparison is a comparison of an attribute with a value for equality.
var comparison = lazyregexp.New(`(?:^|[\s(])([#A-Za-z0-9_]+)\s*=\s*(:[A-Za-z0-9_]+)`)

// equalTo returns the first attribute that an expression compares for equality, and the type of its value: S, N or B.
// ok is false if there is none, or if the expression has alternatives.
func equalTo(part map[string]any, field string) (k keyAttribute, ok bool) {
	text, _ := part[field].(string)
	m := comparison.FindStringSubmatch(text)
	if m == nil || alternatives.MatchString(text) {
		return k, false
	}
	k.name = attribute(part, m[1])
	for kind := range object(object(part["ExpressionAttributeValues"])[m[2]]) {
		k.kind = kind
	}
	return k, k.name != "" && (k.kind == "S" || k.kind == "N" || k.kind == "B")
}

// alternatives matches what makes a comparison not the only way to fulfil an expression.
var alternatives = lazyregexp.New(`(?i)\b(or|not)\b`)

// keyAttribute is an attribute of the key of an index to create.
type keyAttribute struct{ name, kind string }

// createIndex returns the command that creates a global secondary index, with the attributes of its key.
func (v *Review) createIndex(table string, key ...keyAttribute) string {
	type object = map[string]any
	var names []string
	var definitions, schema []object
	for i, k := range key {
		names = append(names, k.name)
		definitions = append(definitions, object{"AttributeName": k.name, "AttributeType": k.kind})
		schema = append(schema, object{"AttributeName": k.name, "KeyType": []string{"HASH", "RANGE"}[i]})
	}
	create := object{"IndexName": indexName(names), "KeySchema": schema, "Projection": object{"ProjectionType": "ALL"}}
	if t := v.Tables[table]; t != nil && !t.OnDemand && t.Read > 0 {
		create["ProvisionedThroughput"] = object{"ReadCapacityUnits": t.Read, "WriteCapacityUnits": t.Write}
	}
	return "aws dynamodb update-table --table-name " + table +
		" --attribute-definitions " + shellJSON(definitions) +
		" --global-secondary-index-updates " + shellJSON([]object{{"Create": create}})
}

// indexName makes a name for an index: names of indexes have at least three characters, and no other ones than these.
func indexName(attributes []string) string {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
	name := strings.Map(func(r rune) rune {
		if !strings.ContainsRune(allowed, r) {
			return '-'
		}
		return r
	}, "by-"+strings.Join(attributes, "-"))
	return name[:min(len(name), 255)]
}

// shellJSON returns JSON as one argument of a shell's command.
func shellJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "" // impossible: texts and numbers only
	}
	return shellQuoted(string(text))
}

// shellQuoted returns a text as one argument of a shell's command.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
