package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// withReplicas returns the update and those that follow from it for the other replicas of the table.
func (u *tableUpdate) withReplicas() ([]*tableUpdate, error) {
	all := []*tableUpdate{u}
	if s := u.in.changes(); s.protection || s.stream {
		return all, nil // of this table alone
	}
	for _, t := range u.table.Replicas() {
		a := t.Account
		o := &tableUpdate{request: &engine.Request{Engine: u.request.Engine, Account: a}, in: u.in, table: t.Table,
			old: t.Def, new: followGroup(u.request.Engine, t.Def, u.old, u.new), removed: u.removed, added: u.added,
			removedVectors: u.removedVectors, addedVectors: u.addedVectors}
		if err := o.followEncryption(); err != nil {
			return nil, err
		}
		if err := CheckQuotas(a, o.new, o.old); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// followEncryption makes the replica's encryption follow that of the table: all have AWS owned keys, AWS managed keys
// or customer managed keys. Customer managed keys are changed in each region. (ack-api-quirks DDB-TABLE-295 and
// DDB-TABLE-309, 2026-10-09.)
func (u *tableUpdate) followEncryption() (err error) {
	in := u.in.SSESpecification
	if in == nil || in.KMSMasterKeyId != nil {
		return nil
	}
	u.new.SSE, err = engine.ExtensionOf[*encryption.Extension](u.request.Engine).ResolveSSE(u.request.Account, in)
	return err
}
