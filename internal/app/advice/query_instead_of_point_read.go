package advice

import (
	"math"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// queryNotPointRead finds queries that ask for one whole item by its id and partition key, which a point read returns
// for fewer request units.
var queryNotPointRead = Rule{
	ID:     "query-instead-of-point-read",
	Title:  "queries for one item by its id",
	Source: "https://learn.microsoft.com/en-us/azure/cosmos-db/optimize-cost-reads-writes",
	watch: func(v *Review) watcher {
		return cosmosDB{&idQueries{review: v, of: map[string]*idQuery{}}}
	},
}

// fewIDQueries is the number of queries from which on they are a finding.
const fewIDQueries = 5

type idQueries struct {
	review *Review
	of     map[string]*idQuery // by container
}

// idQuery is the queries of a container for items by id.
type idQuery struct {
	finding     Finding
	units, read float64 // request units of the queries, and of the point reads that return the same
}

func (s *idQueries) see(r *Request) {
	q, ok := r.query()
	documents := list(r.Result["Documents"])
	if !ok || !r.Done() || !q.wholeItem || len(documents) > 1 || !s.byID(r, &q) {
		return
	}
	name := r.container()
	t := s.of[name]
	if t == nil {
		t = &idQuery{finding: Finding{Table: name}}
		s.of[name] = t
	}
	t.units += r.charge()
	t.read += max(1, math.Ceil(float64(len(r.Answer))/(10<<10))) // 1 RU for 1 KB, 10 for 100 KB
	t.finding.show(r, "consumes "+strconv.FormatFloat(r.charge(), 'f', 2, 64)+" RU for: "+q.text)
}

// byID reports whether a query compares nothing but the id and the partition key, and has both.
func (s *idQueries) byID(r *Request, q *cosmosQuery) bool {
	paths, only := q.equalPaths()
	c := s.review.Containers[r.container()]
	if !only || !slices.Contains(paths, "/id") || c == nil || len(c.Keys) == 0 {
		return false
	}
	for _, path := range paths {
		if path != "/id" && !slices.Contains(c.Keys, path) {
			return false
		}
	}
	for _, key := range c.Keys {
		if r.partitionKey() == "" && !slices.Contains(paths, key) {
			return false
		}
	}
	return true
}

func (s *idQueries) conclude() []Finding {
	var all []Finding
	for _, t := range s.of {
		if t.finding.Times < fewIDQueries || t.read >= t.units {
			continue
		}
		f := t.finding
		f.Problem = thousands.Sprintf("%d queries for one item by its id consume %.1f RU; point reads consume about %.0f",
			f.Times, t.units, t.read)
		f.Remedy = "Read the item by its id and partition key:\n" +
			"container.ReadItem(ctx, azcosmos.NewPartitionKeyString(partitionKey), id, nil)"
		all = append(all, f)
	}
	return all
}
