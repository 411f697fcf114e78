package control

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"

// copyScaling gives new replicas the auto scaling of the table's writes, and of those of its global indexes. They keep
// it when they leave the group. (ack-api-quirks DDB-TABLE-194, DDB-TABLE-288 and DDB-TABLE-292, 2026-10-09.)
func (g *group) copyScaling(added []*member) {
	e, source := g.request.Engine, engine.Located{Table: g.table, Account: g.request.Account}
	var changes []engine.ScalingChange
	for _, m := range added {
		for _, index := range append([]string{""}, indexNames(m.def.Global)...) {
			if !source.IsWriteScaled(index) {
				continue
			}
			s := source.WriteScaling(index)
			changes = append(changes, engine.ScalingChange{Account: m.account.Name, Table: m.def.Name, Index: index, Write: true,
				Min: s.MinimumUnits, Max: s.MaximumUnits, Policy: s.ScalingPolicies[0]})
		}
	}
	if len(changes) > 0 {
		g.request.Afterwards = func() error { return e.ChangeScaling(g.request.BeginWait(), changes) }
	}
}

func indexNames(all []engine.IndexDefinition) (names []string) {
	for _, x := range all {
		names = append(names, x.Name)
	}
	return names
}
