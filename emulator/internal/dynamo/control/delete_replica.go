package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// deleteReplica deletes a table that is a replica of a global table: the others go on without it. The account's DDL is
// closed. (ack-api-quirks DDB-TABLE-260, DDB-TABLE-266 and DDB-TABLE-297, 2026-10-09.)
func deleteReplica(req *engine.Request, t *engine.Table) (*TableOutput, error) {
	if t.IsStrong() {
		return nil, wire.ValidationError(onlyOneMember)
	}
	if err := checkReplicasSettled(t); err != nil {
		return nil, err
	}
	if err := checkRemoval(req.Account, t); err != nil {
		return nil, err
	}
	d, err := endReplica(req, req.Account, t)
	if err != nil {
		return nil, err
	}
	g := &group{request: req, table: t, before: Describe(t, req.Engine.Now())}
	members := g.members(t.Def.Clone())
	leave(members, map[string]bool{req.Account.Region(): true})
	if err := g.publish(members); err != nil {
		return nil, err
	}
	g.beginRemoving(map[*engine.Account]*TableDescription{req.Account: d}, members)
	return &TableOutput{describeDeleted(withStatus(d, engine.Deleting))}, nil
}
