package control

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"

// With States, a table whose replicas change is UPDATING, a new replica CREATING, and one that is removed DELETING,
// each for as long as on the service. A replica that is CREATING only answers DescribeTable.

// beginAdding begins the states of a table with new replicas.
func (g *group) beginAdding(added []*member, d *TableDescription) {
	if !g.request.Engine.States {
		return
	}
	duration := RandomDuration(g.request.Engine, addingReplica)
	for _, m := range added {
		t, err := m.account.NamedTable(m.def.Name)
		if err != nil {
			continue
		}
		creating := Describe(t, g.request.Engine.Now())
		creating.TableStatus = engine.Creating
		creating.StreamSpecification, creating.LatestStreamArn, creating.LatestStreamLabel = nil, "", ""
		SetTable(m.account, t.Def.Name, nil)
		BeginTransition(m.account, t.Def.Name, &Transition{Status: engine.Creating, Description: creating}, duration,
			func() error {
				SetTable(m.account, t.Def.Name, t)
				return nil
			})
	}
	a := g.request.Account
	BeginTransition(a, g.table.Def.Name, &Transition{Status: engine.Updating, Description: d,
		changes: settings{replicas: true}}, duration,
		func() error { return nil })
}

// beginUpdating makes the table UPDATING.
func (g *group) beginUpdating(d *TableDescription, r DurationRange) {
	if g.request.Engine.States {
		BeginTransition(g.request.Account, g.table.Def.Name, &Transition{Status: engine.Updating, Description: d,
			changes: settings{replicas: true}},
			RandomDuration(g.request.Engine, r), func() error { return nil })
	}
}

// beginDeletingReplica describes a dropped replica as DELETING.
func beginDeletingReplica(a *engine.Account, name string, d *TableDescription) {
	if a.Engine.States {
		BeginTransition(a, name, &Transition{Status: engine.Deleting, Description: d},
			RandomDuration(a.Engine, deletingReplica), func() error { return nil })
	}
}
