package advice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// fanOut finds reads that query every one of several numbered partitions again and again and find nothing in most of
// them. Shards that share a high rate of writes are right, as long as most of them have items that are looked for.
// Queries of single partitions in between show that these are not the shards of one list but, say, the partitions of
// customers.
var fanOut = Rule{
	ID:     "fan-out",
	Title:  "reads that query many partitions, most of which have nothing",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general-sparse-indexes.html",
	watch: func(v *Review) watcher {
		return dynamoDB{&fans{review: v, open: map[string]*fan{}, of: map[string]*fanned{}}}
	},
}

// Rounds of queries become a finding when there are several over so many partitions, this share of which has nothing.
const (
	fewRounds      = 3
	manyPartitions = 5
	emptyPercent   = 80
	roundsPercent  = 95 // of all queries of the shape
	// maxPartitions is the number of queries after which a round ends: partitions of customers never end, shards do.
	maxPartitions = 1000
)

type fans struct {
	review *Review
	open   map[string]*fan    // by caller: its queries since the last other request
	of     map[string]*fanned // by shape
}

// fan is a round of queries of one shape, each of another partition.
type fan struct {
	first, last *Request
	shape       string
	partitions  []string
	empty       int
	wasted      float64 // units for nothing
}

// fanned is the rounds of one shape.
type fanned struct {
	finding    Finding
	partitions []string // of the first round, in order
	other      bool     // there are rounds over other partitions
	queries    int      // of the shape, all
	inRounds   int
	empty      int
	wasted     float64
}

func (s *fans) see(r *Request) {
	caller := r.caller()
	f := s.open[caller]
	partition, ok := "", false
	if r.Operation == "Query" && r.Done() && r.Body["ExclusiveStartKey"] == nil {
		partition, ok = s.review.partitionOf(r)
	}
	if f != nil && (!ok || f.shape != r.shape() || len(f.partitions) >= maxPartitions ||
		slices.Contains(f.partitions, partition)) {
		s.close(f)
		delete(s.open, caller)
		f = nil
	}
	if !ok {
		return
	}
	if f == nil {
		if len(s.open) >= maxOpen {
			s.closeAll()
		}
		f = &fan{first: r, shape: r.shape()}
		s.open[caller] = f
	}
	f.add(r, partition)
}

// partitionOf returns the partition key of a query, in JSON; ok is false if it is not known.
func (v *Review) partitionOf(r *Request) (partition string, ok bool) {
	value := r.equals(v.key(r.table(), r.text("IndexName")).Partition)
	return jsonText(value), value != nil
}

func (f *fan) add(r *Request, partition string) {
	f.last = r
	f.partitions = append(f.partitions, partition)
	if r.number("Count") == 0 {
		units, _ := r.units()
		f.empty++
		f.wasted += units
	}
}

func (s *fans) closeAll() {
	for _, f := range ordered(s.open) {
		s.close(f)
	}
	clear(s.open)
}

// close notes a round that has ended.
func (s *fans) close(f *fan) {
	t := s.of[f.shape]
	if t == nil {
		t = &fanned{finding: Finding{Table: f.first.table(), Index: f.first.text("IndexName")}}
		s.of[f.shape] = t
	}
	t.queries += len(f.partitions)
	slices.Sort(f.partitions)
	if len(f.partitions) < manyPartitions {
		return
	}
	if t.partitions == nil {
		t.partitions = f.partitions
	}
	if !slices.Equal(t.partitions, f.partitions) {
		t.other = true
		return
	}
	t.inRounds += len(f.partitions)
	t.empty += f.empty
	t.wasted += f.wasted
	t.finding.show(f.first, fmt.Sprintf("begins %d queries until #%d, %d of which find nothing", len(f.partitions), f.last.N,
		f.empty))
}

// numbered reports whether partition keys differ only in a number at their end, from 0 or 1 on without a gap.
func numbered(partitions []string) bool {
	var numbers []int
	prefix := ""
	for i, p := range partitions {
		p = strings.TrimRight(p, `"}`)
		before := strings.TrimRight(p, "0123456789")
		n, err := strconv.Atoi(p[len(before):])
		if err != nil || i > 0 && before != prefix {
			return false
		}
		prefix, numbers = before, append(numbers, n)
	}
	slices.Sort(numbers)
	return numbers[0] <= 1 && numbers[len(numbers)-1]-numbers[0] == len(numbers)-1
}

func (s *fans) conclude() []Finding {
	s.closeAll()
	var all []Finding
	for _, t := range ordered(s.of) {
		f := t.finding
		if f.Times < fewRounds || t.other || t.inRounds*100 < t.queries*roundsPercent ||
			t.empty*100 < t.inRounds*emptyPercent || !numbered(t.partitions) {
			continue
		}
		f.Problem = fmt.Sprintf("%d reads query %d partitions each; %d of %d queries find nothing", f.Times, len(t.partitions),
			t.empty, t.inRounds)
		f.Monthly = s.review.unitsMonthly(f.Table, f.Index, t.wasted, 0)
		f.Remedy = "Query a sparse index with one partition: give an attribute of its key only to the items that are looked " +
			"for; or use fewer partitions, as each takes 1,000 write units and 3,000 read units a second"
		all = append(all, f)
	}
	return all
}
