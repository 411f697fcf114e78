package plan

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
)

type driverCase struct {
	Name, Query string
	Keys        []string
	Values      json.RawMessage // "all", or the keys that the filter allows
	Info        expectedInfo
}

// unlike are the driver's plans that differ from the service's, and the reasons.
var unlike = map[string]string{
	"pk_is_null": noIsNull, "is_null_in_where": noIsNull, "is_not_null_in_where": noIsNull,
	"hpk_is_null_on_component_no_extract": noIsNull,
	"like_with_escape_in_where":           "a backslash in a string begins an escape, of which \\% is none",
	"pk_eq_array_literal_no_extract":      "the service looks where items without a key are: see the baseline's 'Partition Key Equals Array'",
	"pk_eq_object_literal_no_extract":     "the service looks where items without a key are: see the baseline's 'Partition Key Equals Object'",
}

const noIsNull = "IS NULL is no SQL of the service: the driver's own tests expect 400 of the live account"

// TestPlansMatchTheDrivers compares what the driver's tests compare between its own plans and those of a live account.
func TestPlansMatchTheDrivers(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/driver.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct{ Cases []driverCase }
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	for _, c := range table.Cases {
		different := c.compare(t)
		switch reason := unlike[c.Name]; {
		case different != "" && reason == "":
			t.Errorf("%s: %s\n%s", c.Name, c.Query, different)
		case different == "" && reason != "":
			t.Errorf("%s: no difference any more", c.Name)
		}
	}
}

func (c *driverCase) compare(t *testing.T) string {
	q, err := sql.Parse(c.Query)
	if err != nil {
		return err.Error()
	}
	d := &doc.PartitionKeyDefinition{Paths: c.Keys, Version: 2}
	if len(c.Keys) > 1 {
		d.Kind = doc.KindMultiHash
	}
	p, err := New(&Request{Query: q, Key: d})
	if err != nil {
		return err.Error()
	}
	if diff := cmp.Diff(c.ranges(t, d), p.Ranges); diff != "" && q.From != nil {
		return diff
	}
	return cmp.Diff(c.Info.info(), c.shared(p), cmpopts.EquateEmpty())
}

// shared returns a plan without what the driver's generator does not support and without what its tests ignore:
// aggregates if the query is rewritten, windows that a partition applies, and the order of groups.
func (c *driverCase) shared(p *Plan) *Info {
	i := *p.Info
	i.GroupByAliases, i.AliasAggregates, i.NonStreaming, i.DistinctCount = nil, nil, false, nil
	if i.Rewritten != "" {
		i.Aggregates = c.Info.Aggregates
	}
	if len(i.GroupByExpressions) > 0 || c.Info.Aggregates != nil {
		i.OrderBy, i.OrderByExpressions = c.Info.OrderBy, c.Info.OrderByExpressions
	}
	if p.IsSingleKey() && i.Limit == nil {
		i.Offset, i.Limit = c.Info.Offset, c.Info.Limit
	}
	if i.Offset != nil && *i.Offset == 0 {
		i.Offset = c.Info.Offset
	}
	i.Rewritten = ""
	return &i
}

func (c *driverCase) ranges(t *testing.T, d *doc.PartitionKeyDefinition) []Range {
	if string(c.Values) == `"all"` {
		return fullRange()
	}
	keys, err := doc.Parse(c.Values)
	if err != nil {
		t.Fatal(err)
	}
	all := []Range{}
	for _, k := range keys.Elements() {
		values := []*doc.Value{}
		for _, v := range k.Elements() {
			values = append(values, &v)
		}
		r, _ := keyRange(d, append(values, make(key, len(d.Paths)-len(values))...))
		all = append(all, r)
	}
	if len(all) == 0 {
		return []Range{{MaxInclusive: true}}
	}
	slices.SortFunc(all, func(a, b Range) int { return strings.Compare(a.Min, b.Min) })
	return all
}
