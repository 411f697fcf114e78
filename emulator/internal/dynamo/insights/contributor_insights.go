package insights

import (
	"slices"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// accessedAndThrottledKeys is the default mode of contributor insights. The other is engine.ThrottledKeys.
const accessedAndThrottledKeys = "ACCESSED_AND_THROTTLED_KEYS"

// The durations are those recorded by aws-controllers-k8s/dynamodb-controller, 2026-10-08.
var (
	enablingInsights  = control.DurationRange{Min: time.Second, Max: 3 * time.Second}
	disablingInsights = control.DurationRange{Min: 2 * time.Second, Max: 2030 * time.Millisecond}
)

// maxInsightRules is the quota of CloudWatch's rules of an account (quota L-DBD11BCC of CloudWatch).
const maxInsightRules = 100

// insightsStatus returns the status of contributor insights at a time, in seconds since 1970, and when the status last
// changed.
func insightsStatus(c *engine.ContributorInsights, now float64) (status string, since float64) {
	switch {
	case c == nil:
		return "DISABLED", 0
	case c.Enabled && now < c.Settled:
		return "ENABLING", c.Changed
	case c.Enabled && c.Failed:
		return "FAILED", c.Settled
	case c.Enabled:
		return "ENABLED", c.Settled
	case now < c.Settled:
		return "DISABLING", c.Changed
	}
	return "DISABLED", c.Settled
}

// InsightRuleNames returns the names of the CloudWatch rules of contributor insights: those of the partition key, and
// those of the whole key if it has a sort key. The names of an index's rules have the name of its table, as in the
// example of AWS's command line. With THROTTLED_KEYS there are only the rules of throttled keys.
func InsightRuleNames(table string, keys []engine.KeySchemaElement, c *engine.ContributorInsights) []string {
	kinds := []string{"PKC", "SKC", "PKT", "SKT"}
	if c.Mode == engine.ThrottledKeys {
		kinds = []string{"PKT", "SKT"}
	}
	hasSortKey := slices.ContainsFunc(keys, func(k engine.KeySchemaElement) bool { return k.KeyType == "RANGE" })
	var names []string
	for _, kind := range kinds {
		if kind[0] == 'P' || hasSortKey {
			names = append(names, "DynamoDBContributorInsights-"+kind+"-"+table+"-"+strconv.FormatInt(c.Rules, 10))
		}
	}
	return names
}

// insightsSubject is the table or the index that a request for contributor insights is about.
type insightsSubject struct {
	insights *engine.ContributorInsights
	keys     []engine.KeySchemaElement
	index    int // of the table's global indexes; -1 for the table itself
	active   bool
}

// findInsightsSubject returns the table, or its global index if there is an index name. Error: the index does not
// exist, in the words recorded by aws-controllers-k8s/dynamodb-controller, 2026-10.
func findInsightsSubject(t *engine.Table, index *string) (insightsSubject, error) {
	if index == nil {
		return insightsSubject{t.Def.Insights, t.Def.KeySchema, -1, true}, nil
	}
	at := engine.IndexAt(t.Def.Global, *index)
	if at < 0 {
		return insightsSubject{}, wire.DynamoError("ResourceNotFoundException",
			"Requested resource not found: Index: "+*index+" not found for table: "+t.Def.Name)
	}
	x := t.Def.Global[at]
	return insightsSubject{x.Insights, x.KeySchema, at, !x.Backfilling}, nil
}

// countInsightRules returns the number of an account's rules without those of one table or index.
func countInsightRules(a *engine.Account, without *engine.ContributorInsights) int {
	n := 0
	add := func(table string, keys []engine.KeySchemaElement, c *engine.ContributorInsights) {
		if c != nil && c != without && c.Enabled && !c.Failed {
			n += len(InsightRuleNames(table, keys, c))
		}
	}
	for name, t := range *a.Tables.Load() {
		add(name, t.Def.KeySchema, t.Def.Insights)
		for _, x := range t.Def.Global {
			add(name, x.KeySchema, x.Insights)
		}
	}
	return n
}
