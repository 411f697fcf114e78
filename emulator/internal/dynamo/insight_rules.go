package dynamo

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/insights"
)

// InsightRule is a rule of contributor insights.
type InsightRule struct {
	Name      string
	Resource  string // TABLE or TABLE/INDEX, as in Heat
	Throttled bool   // it counts throttled requests; otherwise it adds up capacity units
	WholeKey  bool   // contributors are items rather than partition keys
}

// InsightRules returns the rules of an account's enabled contributor insights, in no particular order.
func (s *Service) InsightRules(account string) (rules []InsightRule) {
	add := func(t *engine.Table, resource string, keys []engine.KeySchemaElement, c *engine.ContributorInsights) {
		if c == nil || !c.Enabled || c.Failed || s.engine.Now() < c.Settled {
			return
		}
		for _, name := range insights.InsightRuleNames(t.Def.Name, keys, c) {
			kind := name[len("DynamoDBContributorInsights-"):]
			rules = append(rules, InsightRule{name, resource, kind[2] == 'T', kind[0] == 'S'})
		}
	}
	s.engine.RunIfServing(func() {
		for _, t := range *s.engine.AccountNamed(account).Tables.Load() {
			add(t, t.Def.Name, t.Def.KeySchema, t.Def.Insights)
			for _, x := range t.Def.Global {
				add(t, t.Def.Name+"/"+x.Name, x.KeySchema, x.Insights)
			}
		}
	})
	return rules
}
