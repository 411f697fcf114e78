package emulator

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cloudwatch"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/internal/model/heatmap"
)

// insightRules returns DynamoDB's rules of contributor insights as CloudWatch reports them: the load of the last three
// hours by partition key, the ten hottest of each minute. Rules of whole keys have no contributors, because the load of
// single items is not measured.
func (e *Emulator) insightRules(account string) []cloudwatch.InsightRule {
	rules := e.dynamo.InsightRules(account)
	if len(rules) == 0 {
		return nil
	}
	heat := e.dynamo.Heat()
	all := make([]cloudwatch.InsightRule, 0, len(rules))
	for _, r := range rules {
		rule := cloudwatch.InsightRule{Name: r.Name, Keys: []string{"PartitionKey"}}
		if r.WholeKey {
			rule.Keys = []string{"PartitionKey", "SortKey"}
		} else {
			rule.Minutes = insightMinutes(heat, account, r)
		}
		all = append(all, rule)
	}
	slices.SortFunc(all, func(a, b cloudwatch.InsightRule) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func insightMinutes(heat []heatmap.Table, account string, r dynamo.InsightRule) (all []cloudwatch.InsightMinute) {
	for _, t := range heat {
		if t.Resource != r.Resource || t.Account != account {
			continue
		}
		for _, m := range t.Minutes {
			minute := cloudwatch.InsightMinute{At: m.At, Values: map[string]float64{}}
			for _, k := range m.Keys {
				if minute.Values[k.Key] = k.Read + k.Write; r.Throttled {
					minute.Values[k.Key] = float64(k.Throttled)
				}
			}
			all = append(all, minute)
		}
	}
	return all
}
