package control

import (
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// With States, replicas have the phases that AWS's controllers for Kubernetes recorded of tables without items
// (ack-api-quirks DDB-TABLE-204, DDB-TABLE-226 to DDB-TABLE-230, DDB-TABLE-250, DDB-TABLE-297, DDB-TABLE-298 and
// DDB-TABLE-308, 2026-10-09):
//
//   - Adding: the table is UPDATING. After some seconds it lists the replica as CREATING, and some seconds later the
//     replica answers DescribeTable. Both become ACTIVE together.
//   - Removing: both are UPDATING, and the replica is listed as ACTIVE. Then the table is ACTIVE and the replica, which
//     is still listed, DELETING. Its table is found for some seconds after it is not listed any more.
//   - Changing, also the deletion protection of one: all are UPDATING, the others a little longer.

// replicaPhase is how far a new replica is seen.
type replicaPhase uint8

const (
	existingReplica replicaPhase = iota // it is listed by the others, and found in its region
	hiddenReplica                       // it is listed as CREATING, and not found in its region
	unlistedReplica                     // it is neither listed nor found
)

var (
	listingReplica    = DurationRange{5800 * time.Millisecond, 6700 * time.Millisecond}
	findingReplica    = DurationRange{3 * time.Second, 4 * time.Second}
	forgettingReplica = DurationRange{10 * time.Second, 35 * time.Second} // since it is not listed any more
)

// followedBy is how much longer the other replicas are UPDATING.
const followedBy = 3 * time.Second

// isListed reports whether the other replicas list a replica.
func isListed(t engine.Located) bool {
	transition := TransitionOf(t.Account, t.Def.Name)
	return transition == nil || transition.replica != unlistedReplica
}

// leaving are the replicas that leave a group, as the remaining ones show them. It is immutable.
type leaving struct {
	group   *TableDescription // before they left
	regions map[string]bool
	status  string
	sourced bool // by the table itself, in the last 24 hours
}

// applyTo adds the leaving replicas to the description of a remaining one; nil adds none.
func (l *leaving) applyTo(d *TableDescription) {
	if l == nil {
		return
	}
	all := []replicaDescription{}
	if d.Replicas != nil {
		all = slices.Clone(*d.Replicas)
	}
	for _, r := range *l.group.Replicas {
		if l.regions[r.RegionName] {
			r.ReplicaStatus = l.status
			all = append(all, r)
		}
	}
	d.Replicas, d.GlobalTableVersion, d.GlobalTableSettingsReplicationMode = &all, globalTableVersion, settingsMode
	d.MultiRegionConsistency = l.group.MultiRegionConsistency
	d.GlobalTableWitnesses = slices.Clone(l.group.GlobalTableWitnesses)
	for i := range d.GlobalTableWitnesses {
		d.GlobalTableWitnesses[i].WitnessStatus = l.status
	}
}

// errInUse returns the error for the deletion of a remaining replica (ack-api-quirks DDB-TABLE-266 and DDB-TABLE-267).
func (l *leaving) errInUse() error {
	if l.sourced {
		return wire.ValidationError(sourceRegion)
	}
	return errReplicaInUse()
}

// isNewReplica reports whether a replica that is being added answers DescribeTable.
func (t *Transition) isNewReplica() bool {
	return t.Status == engine.Creating && t.Description != nil && t.Description.Replicas != nil
}

// checkUpdateOfNewReplica returns the error for UpdateTable in the region of a replica that is being added; nil if the
// table is not found. (ack-api-quirks DDB-TABLE-298, 2026-10-09, where only its source was to be deleted. The whole
// text: DDB-TABLE-442.)
func checkUpdateOfNewReplica(a *engine.Account, name string, in *UpdateTableInput) error {
	switch {
	case len(in.ReplicaUpdates) == 0:
		return nil
	case in.ReplicaUpdates[0].Delete != nil:
		return wire.ValidationError(sourceRegion)
	}
	return wire.ValidationError("Create/Update/Delete of replica is not allowed while the replica is being added to " +
		"table with name: ‘" + name + "’ in region: ‘" + a.Region() + "’.")
}

// step is a transition and its duration.
type step struct {
	transition *Transition
	duration   time.Duration
}

// beginTransitions runs transitions one after the other, and then end.
func beginTransitions(a *engine.Account, name string, steps []step, end func() error) {
	BeginTransition(a, name, steps[0].transition, steps[0].duration, func() error {
		if len(steps) == 1 {
			return end()
		}
		beginTransitions(a, name, steps[1:], end)
		return nil
	})
}

func nothing() error { return nil }

// beginAdding begins the states of a table with new replicas, which is described by d.
func (g *group) beginAdding(added []*member, d *TableDescription) {
	e := g.request.Engine
	if !e.States {
		return
	}
	all := RandomDuration(e, addingReplica)
	listed, found := RandomDuration(e, listingReplica), RandomDuration(e, findingReplica)
	for _, m := range added {
		t, err := m.account.NamedTable(m.def.Name)
		if err != nil {
			continue
		}
		creating := withStatus(Describe(t, e.Now()), engine.Creating)
		creating.StreamSpecification, creating.LatestStreamArn, creating.LatestStreamLabel = nil, "", ""
		SetTable(m.account, t.Def.Name, nil)
		beginTransitions(m.account, t.Def.Name, []step{
			{&Transition{Status: engine.Creating, replica: unlistedReplica}, listed},
			{&Transition{Status: engine.Creating, replica: hiddenReplica}, found},
			{&Transition{Status: engine.Creating, Description: creating}, all - listed - found},
		}, func() error {
			SetTable(m.account, t.Def.Name, t)
			return nil
		})
	}
	BeginTransition(g.request.Account, g.table.Def.Name, g.updating(d), all, nothing)
}

// updating returns the transition of a table whose replicas change.
func (g *group) updating(d *TableDescription) *Transition {
	return &Transition{Status: engine.Updating, Description: withStatus(d, engine.Updating),
		changes: settings{replicas: true}}
}

// withStatus returns a copy of a description with another status.
func withStatus(d *TableDescription, status string) *TableDescription {
	changed := *d
	changed.TableStatus = status
	return &changed
}

// beginRemoving begins the states of removed replicas, whose descriptions are those before, and of the remaining
// members. A replica that is deleted in its own region is DELETING from the beginning.
func (g *group) beginRemoving(removed map[*engine.Account]*TableDescription, members []*member) {
	e := g.request.Engine
	if !e.States {
		return
	}
	first, all := RandomDuration(e, removingReplica), RandomDuration(e, deletingReplica)
	regions := map[string]bool{}
	_, local := removed[g.request.Account]
	for a, d := range removed {
		regions[a.Region()] = true
		g.beginDeletingReplica(a, d, local, first, all)
	}
	for _, m := range members {
		if m.def == nil {
			continue
		}
		if t, err := m.account.NamedTable(m.def.Name); err == nil {
			g.beginRemaining(engine.Located{Table: t, Account: m.account}, regions, local, first, all)
		}
	}
}

// beginDeletingReplica begins the states of a removed replica, with the duration of the first, and the time until it is
// not listed any more.
func (g *group) beginDeletingReplica(a *engine.Account, d *TableDescription, local bool, first, all time.Duration) {
	updating, deleting := withStatus(d, engine.Updating), describeDeleted(withStatus(d, engine.Deleting))
	if local {
		updating = deleting
	}
	alone := *deleting
	alone.Replicas, alone.GlobalTableVersion, alone.GlobalTableSettingsReplicationMode = &[]replicaDescription{}, "", ""
	transition := func(d *TableDescription) *Transition { return &Transition{Status: engine.Deleting, Description: d} }
	beginTransitions(a, d.TableName, []step{{transition(updating), first}, {transition(deleting), all - first},
		{transition(&alone), RandomDuration(a.Engine, forgettingReplica)}}, nothing)
}

// beginRemaining begins the states of a member that remains in the group.
func (g *group) beginRemaining(t engine.Located, regions map[string]bool, local bool, first, all time.Duration) {
	l := leaving{group: g.listing(t.Account), regions: regions, status: engine.Active}
	if t.Account == g.request.Account {
		l.sourced = sourcedRecently(g.table, t.Account.Engine.Now())
	}
	deleting := l
	if deleting.status = engine.Deleting; local {
		l.status = engine.Deleting
	}
	updating := g.updating(Describe(t.Table, t.Account.Engine.Now()))
	updating.leaving = &l
	beginTransitions(t.Account, t.Def.Name, []step{{updating, first},
		{&Transition{Status: engine.Active, leaving: &deleting}, all - first}}, nothing)
}

// listing returns a description of the group that lists the replicas in all regions but that of a.
func (g *group) listing(a *engine.Account) *TableDescription {
	if a == g.request.Account {
		return g.before
	}
	d, all := *g.before, slices.Clone(*g.before.Replicas)
	own := engine.Located{Table: g.table, Account: g.request.Account}
	all = append(all, describeReplica(g.table.Def, own))
	d.Replicas = &all
	return &d
}

// beginChanging makes all members UPDATING. d describes the table, with the previous settings of the others.
func (g *group) beginChanging(d *TableDescription) {
	e := g.request.Engine
	if !e.States {
		return
	}
	duration := RandomDuration(e, changingReplica)
	own := g.updating(d)
	own.pinned = true
	BeginTransition(g.request.Account, g.table.Def.Name, own, duration, nothing)
	for _, o := range g.table.Replicas() {
		BeginTransition(o.Account, o.Def.Name, g.updating(g.previous[o.Account]), duration+followedBy, nothing)
	}
}

// beginUpdatingOthers makes the other replicas of a table UPDATING whose deletion protection changes.
func (u *tableUpdate) beginUpdatingOthers() {
	if !u.request.Engine.States || !u.in.changes().protection {
		return
	}
	duration := RandomDuration(u.request.Engine, changingReplica)
	for _, o := range u.table.Replicas() {
		d := withStatus(Describe(o.Table, o.Account.Engine.Now()), engine.Updating)
		BeginTransition(o.Account, o.Def.Name, &Transition{Status: engine.Updating, Description: d,
			changes: settings{protection: true}}, duration, nothing)
	}
}
