package advice

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// indexingUnused finds containers that index every property, where queries filter and order by a few: each write pays
// request units for the others. It needs queries and writes, and says nothing if a query is not simple, because it may
// need any property.
var indexingUnused = Rule{
	ID:     "indexing-what-nobody-asks",
	Title:  "containers that index properties which no query uses",
	Source: "https://learn.microsoft.com/en-us/azure/cosmos-db/index-policy",
	watch: func(v *Review) watcher {
		return cosmosDB{&indexings{review: v, of: map[string]*indexing{}}}
	},
}

// What a container needs for a finding.
const (
	enoughIndexQueries = 20
	enoughIndexWrites  = 50
	manyProperties     = 10 // that are indexed and not used
)

type indexings struct {
	review *Review
	of     map[string]*indexing // by container
}

// indexing is what a container indexes, and what queries use.
type indexing struct {
	finding    Finding
	writes     int
	units      float64         // of writes
	properties map[string]bool // paths of scalars
	used       map[string]bool // paths in filters and orders
	queries    int
	unclear    bool // a query may use any path
}

func (s *indexings) see(r *Request) {
	if !r.Done() || r.container() == "" {
		return
	}
	switch r.Operation {
	case "CreateDocument", "ReplaceDocument":
		s.container(r).write(r)
	case "QueryDocuments":
		s.container(r).query(r)
	}
}

func (s *indexings) container(r *Request) *indexing {
	x := s.of[r.container()]
	if x == nil {
		x = &indexing{finding: Finding{Table: r.container()}, properties: map[string]bool{}, used: map[string]bool{}}
		s.of[r.container()] = x
	}
	return x
}

func (x *indexing) write(r *Request) {
	x.writes++
	x.units += r.charge()
	x.finding.show(r, thousands.Sprintf("consumes %.2f RU", r.charge()))
	if x.writes <= maxSample {
		x.add("", r.Body)
	}
}

// add adds the paths of the scalars in a value.
func (x *indexing) add(path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, each := range v {
			x.add(path+"/"+name, each)
		}
	case []any:
		for _, each := range v {
			x.add(path+"/[]", each)
		}
	default:
		x.properties[path] = true
	}
}

// pathOf is a path in a query, from the alias of its items on.
var pathOf = lazyregexp.New(`\b(\w+)((?:\.\w+)+)`)

func (x *indexing) query(r *Request) {
	q, ok := r.query()
	if !ok {
		x.unclear = true
		return
	}
	x.queries++
	for _, m := range pathOf.FindAllStringSubmatch(q.where + " " + q.order) {
		if m[1] == q.alias {
			x.used[strings.ReplaceAll(m[2], ".", "/")] = true
		}
	}
}

func (s *indexings) conclude() []Finding {
	var all []Finding
	for name, x := range s.of {
		c := s.review.Containers[name]
		enough := x.queries >= enoughIndexQueries && x.writes >= enoughIndexWrites
		if c == nil || x.unclear || !enough || !indexesAll(c.Indexing) {
			continue
		}
		unused := x.unused(c)
		if unused < manyProperties {
			continue
		}
		f := x.finding
		f.Problem = thousands.Sprintf("each write indexes %d properties that none of %d queries filters or orders by; %d writes "+
			"consume %.1f RU", unused, x.queries, x.writes, x.units)
		f.Remedy = x.remedy(c)
		all = append(all, f)
	}
	return all
}

// indexesAll reports whether a policy indexes every property.
func indexesAll(policy map[string]any) bool {
	excluded := list(policy["excludedPaths"])
	for _, each := range excluded {
		if object(each)["path"] != `/"_etag"/?` {
			return false
		}
	}
	included := list(policy["includedPaths"])
	return len(included) == 1 && object(included[0])["path"] == "/*"
}

// unused returns the number of indexed properties that no query uses.
func (x *indexing) unused(c *Container) int {
	n := 0
	for property := range x.properties {
		if property != "/id" && !slices.Contains(c.Keys, property) && !x.uses(property) {
			n++
		}
	}
	return n
}

// uses reports whether queries use a path, or one above or below it.
func (x *indexing) uses(property string) bool {
	for used := range x.used {
		if used == property || strings.HasPrefix(property, used+"/") || strings.HasPrefix(used, property+"/") {
			return true
		}
	}
	return false
}

func (x *indexing) remedy(c *Container) string {
	type object = map[string]any
	paths := maps.Clone(x.used)
	for _, key := range c.Keys {
		paths[key] = true
	}
	var included []object
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if path != "/id" && path != "/_ts" { // always indexed
			included = append(included, object{"path": path + "/?"})
		}
	}
	policy := maps.Clone(c.Indexing)
	policy["includedPaths"], policy["excludedPaths"] = included, []object{{"path": "/*"}}
	database, container, _ := strings.Cut(c.Name, "/")
	return fmt.Sprintf("Index what queries use:\naz cosmosdb sql container update --account-name \"$ACCOUNT\" "+
		"--resource-group \"$GROUP\" --database-name %s --name %s --idx %s", shellQuoted(database), shellQuoted(container),
		shellJSON(policy))
}
