package control

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"

// copyScaling gives new replicas the auto scaling of the table's writes, and of those of its global indexes. They keep
// it when they leave the group. (ack-api-quirks DDB-TABLE-194, DDB-TABLE-288 and DDB-TABLE-292, 2026-10-09.)
func (g *group) copyScaling(added []*member) {
	source := engine.Located{Table: g.table, Account: g.request.Account}
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
	scaleAfterwards(g.request, changes)
}

// scaleAfterwards changes the auto scaling after the operation.
func scaleAfterwards(req *engine.Request, changes []engine.ScalingChange) {
	if change := req.Engine.ChangeScaling; len(changes) > 0 {
		req.Afterwards = func() error { return change(req.BeginWait(), changes) }
	}
}

// checkOthersScaled returns an error if an update adds an index to a provisioned table with replicas, and the writes of
// another index are not scaled (ack-api-quirks DDB-TABLE-291, 2026-10-09).
func (u *tableUpdate) checkOthersScaled() error {
	if len(u.added) == 0 || u.old.Replication == nil {
		return nil
	}
	return checkIndexesScaled(u.located())
}

// scaleNewIndexes scales the writes of new indexes of a provisioned table with replicas, in all regions, as those of
// the table are scaled, by a policy that has the service's name for it. (ack-api-quirks DDB-TABLE-322, 2026-10-09, of a
// table that is scaled from 1 to 10 units, as the index then is. A table whose writes are not scaled was not recorded.)
func (u *tableUpdate) scaleNewIndexes(members []*tableUpdate) {
	source := u.located()
	if u.old.Replication == nil || u.new.BillingMode != engine.Provisioned || !source.IsWriteScaled("") {
		return
	}
	s := source.WriteScaling("")
	policy := s.ScalingPolicies[0]
	policy.PolicyName = ""
	var changes []engine.ScalingChange
	for _, m := range members {
		for _, index := range u.added {
			changes = append(changes, engine.ScalingChange{Account: m.request.Account.Name, Table: u.new.Name, Index: index,
				Write: true, Min: s.MinimumUnits, Max: s.MaximumUnits, Policy: policy})
		}
	}
	scaleAfterwards(u.request, changes)
}

func (u *tableUpdate) located() engine.Located {
	return engine.Located{Table: u.table, Account: u.request.Account}
}

func indexNames(all []engine.IndexDefinition) (names []string) {
	for _, x := range all {
		names = append(names, x.Name)
	}
	return names
}
