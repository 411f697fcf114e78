package advice

import (
	"slices"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// crossPartitionQuery finds filtered queries without the partition key, in containers with several physical partitions:
// each of these is asked, for about 2.5 RU or more. In containers with few of them that costs little, and is no
// finding.
var crossPartitionQuery = Rule{
	ID:     "cross-partition-query",
	Title:  "queries that ask every physical partition",
	Source: "https://learn.microsoft.com/en-us/azure/cosmos-db/nosql/how-to-query-container",
	watch: func(v *Review) watcher {
		return cosmosDB{&crossQueries{review: v, of: map[string]*crossQuery{}}}
	},
}

const (
	fewCrossQueries = 20
	manyPhysical    = 4 // over 30,000 RU/s or 100 GB
)

type crossQueries struct {
	review *Review
	of     map[string]*crossQuery // by container and query
}

// crossQuery is one query that asks every physical partition.
type crossQuery struct {
	finding Finding
	text    string
	units   float64
}

func (s *crossQueries) see(r *Request) {
	q, ok := r.query()
	if !ok || !r.Done() || q.where == "" || r.partitionKey() != "" {
		return
	}
	c := s.review.Containers[r.container()]
	if c == nil || c.Partitions < manyPhysical || len(c.Keys) == 0 {
		return
	}
	if paths, _ := q.equalPaths(); slices.Contains(paths, c.Keys[0]) {
		return
	}
	id := c.Name + "\x00" + q.text
	t := s.of[id]
	if t == nil {
		t = &crossQuery{finding: Finding{Table: c.Name}, text: q.text}
		s.of[id] = t
	}
	t.units += r.charge()
	if r.Headers["x-ms-continuation"] == "" {
		t.finding.show(r, "asks without the partition key: "+q.text)
	}
}

func (s *crossQueries) conclude() []Finding {
	var all []Finding
	for _, t := range s.of {
		c := s.review.Containers[t.finding.Table]
		if t.finding.Times < fewCrossQueries {
			continue
		}
		f := t.finding
		f.Problem = thousands.Sprintf("%d queries without the partition key %s ask all of the %d physical partitions, for %.1f RU",
			f.Times, c.Keys[0], c.Partitions, t.units)
		f.Remedy = "Add " + c.Keys[0] + " to the filter, or keep copies of the items in a container whose partition key is what " +
			"the query filters by, with a change feed: " + t.text
		all = append(all, f)
	}
	return all
}
