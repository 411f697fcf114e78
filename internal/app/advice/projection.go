package advice

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// maxSample is the number of puts that a sample has of a table.
const maxSample = 1000

// putSample is a sample of the items that are put to tables: the sizes of their attributes, in bytes, by table.
type putSample map[string][]map[string]int

func (s putSample) see(r *Request) {
	if !r.Done() {
		return
	}
	for _, a := range r.accesses {
		if a.kind != "Put" || len(s[a.table]) >= maxSample {
			continue
		}
		sizes := map[string]int{}
		for name, value := range a.item {
			sizes[name] = len(name) + valueBytes(object(value))
		}
		s[a.table] = append(s[a.table], sizes)
	}
}

// units returns the write units of a table's entries in an index with some attributes, and how many entries there are.
func (s putSample) units(table string, x *Index, projected func(attribute string) bool) (units float64, entries int) {
	for _, item := range s[table] {
		if item[x.Key.Partition] == 0 || x.Key.Sort != "" && item[x.Key.Sort] == 0 {
			continue // not in the index
		}
		bytes := 0
		for name, size := range item {
			if projected(name) {
				bytes += size
			}
		}
		entries++
		units += math.Ceil(float64(bytes) / 1024)
	}
	return units, entries
}

func everyAttribute(string) bool { return true }

// projects returns which attributes an index has.
func (t *Table) projects(x *Index) func(attribute string) bool {
	if x.Projection == "ALL" {
		return everyAttribute
	}
	return func(name string) bool { return t.isKey(x, name) || slices.Contains(x.Included, name) }
}

// isKey reports whether an attribute is of the key of the table or of an index.
func (t *Table) isKey(x *Index, name string) bool {
	return slices.Contains([]string{t.Key.Partition, t.Key.Sort, x.Key.Partition, x.Key.Sort}, name)
}

// word is a name or a keyword in an expression.
var word = lazyregexp.New(`[#A-Za-z_][A-Za-z0-9_]*`)

// wanted returns the attributes that a query or a scan returns or filters by, and perhaps names that are no attributes.
// ok is false if it returns all attributes.
func (r *Request) wanted() (names []string, ok bool) {
	listed := list(r.Body["AttributesToGet"])
	if r.text("ProjectionExpression") == "" && listed == nil && r.text("Select") != "COUNT" {
		return nil, false
	}
	for _, m := range word.FindAllStringSubmatch(r.text("ProjectionExpression") + " " + r.text("FilterExpression")) {
		names = append(names, attribute(r.Body, m[0]))
	}
	for _, each := range listed {
		name, _ := each.(string)
		names = append(names, name)
	}
	for _, filter := range []string{"QueryFilter", "ScanFilter"} {
		names = slices.AppendSeq(names, maps.Keys(object(r.Body[filter])))
	}
	return names, true
}

// replaceIndex returns how to replace a global index by one with another projection.
func (v *Review) replaceIndex(of place, projection map[string]any) string {
	type object = map[string]any
	t, x := v.Tables[of.table], v.index(of)
	name := of.index + "-2"
	create := object{"IndexName": name, "Projection": projection}
	var definitions, schema []object
	for i, attribute := range []string{x.Key.Partition, x.Key.Sort} {
		if attribute != "" {
			definitions = append(definitions, object{"AttributeName": attribute, "AttributeType": t.Types[attribute]})
			schema = append(schema, object{"AttributeName": attribute, "KeyType": []string{"HASH", "RANGE"}[i]})
		}
	}
	create["KeySchema"] = schema
	if !t.OnDemand {
		create["ProvisionedThroughput"] = object{"ReadCapacityUnits": x.Read, "WriteCapacityUnits": x.Write}
	}
	return fmt.Sprintf("Create the index %s, query it instead, then delete %s:\naws dynamodb update-table --table-name %s "+
		"--attribute-definitions %s --global-secondary-index-updates %s", name, of.index, of.table, shellJSON(definitions),
		shellJSON([]object{{"Create": create}}))
}
