package control

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// All replicas of a global table have the same keys, indexes, billing mode, write capacity and time to live. Read
// capacity is the same unless a replica overrides it, which it does while it differs. Tags, protection, recovery,
// policies, Contributor Insights, destinations and keys belong to each table. (ack-api-quirks DDB-TABLE-230,
// DDB-TABLE-250 to DDB-TABLE-252 and DDB-TABLE-294 to DDB-TABLE-296, 2026-10-09.)

// followGroup returns the definition of a replica after the definition of another one changes from old to new. For a
// new replica, own is a definition without settings, and old is new.
func followGroup(e *engine.Engine, own, old, new *engine.Definition) *engine.Definition {
	def := own.Clone()
	def.Attributes, def.BillingMode = new.Attributes, new.BillingMode
	if own.BillingMode != engine.OnDemand && new.BillingMode == engine.OnDemand {
		def.OnDemandSince = e.Now()
	}
	def.Throughput = followThroughput(own.Throughput, old.Throughput, new.Throughput)
	def.OnDemand = followOnDemand(own.OnDemand, old.OnDemand, new.OnDemand)
	def.Warm = own.Warm.Max(new.Warm)
	if old.Class != new.Class {
		def.Class, def.ClassChanged = new.Class, new.ClassChanged
	}
	def.Global = nil
	for _, x := range new.Global {
		def.Global = append(def.Global, followIndex(e, own.Global, old.Global, x))
	}
	def.Vectors = nil
	for _, x := range new.Vectors {
		if at := engine.VectorAt(own.Vectors, x.Name); at >= 0 {
			x = own.Vectors[at]
		} else {
			x.ID = e.NewID()
		}
		def.Vectors = append(def.Vectors, x)
	}
	return def
}

// followIndex returns an index of a replica, where new is that of another one.
func followIndex(e *engine.Engine, own, old []engine.IndexDefinition,
	new engine.IndexDefinition) engine.IndexDefinition {
	at, was := engine.IndexAt(own, new.Name), engine.IndexAt(old, new.Name)
	if at < 0 || was < 0 {
		new.ID, new.Insights = e.NewID(), nil
		return new
	}
	x := own[at]
	x.Throughput = followThroughput(x.Throughput, old[was].Throughput, new.Throughput)
	x.OnDemand = followOnDemand(x.OnDemand, old[was].OnDemand, new.OnDemand)
	x.Warm = x.Warm.Max(new.Warm)
	return x
}

// followThroughput returns the capacity of a replica: that of the others, and its own for reads if that differed.
func followThroughput(own, old, new engine.Throughput) engine.Throughput {
	if own.ReadCapacityUnits != old.ReadCapacityUnits && new.ReadCapacityUnits != 0 {
		new.ReadCapacityUnits = own.ReadCapacityUnits
	}
	return new
}

func followOnDemand(own, old, new engine.OnDemandThroughput) engine.OnDemandThroughput {
	if own.Reads != old.Reads {
		new.Reads = own.Reads
	}
	return new
}

// replicaDefinition returns the definition of a new replica of a table in an account, without its stream and its
// encryption.
func replicaDefinition(a *engine.Account, t *engine.Definition) *engine.Definition {
	own := &engine.Definition{Name: t.Name, ID: a.Engine.NewID(), UUID: a.Engine.NextUUID(),
		ARN: a.ARN("dynamodb", "table/"+t.Name), Created: a.Engine.Now(), KeySchema: t.KeySchema, Class: t.Class,
		TTLAttribute: t.TTLAttribute, Throughput: t.Throughput, OnDemand: t.OnDemand, Local: slices.Clone(t.Local)}
	for i := range own.Local {
		own.Local[i].ID = a.Engine.NewID()
	}
	def := followGroup(a.Engine, own, t, t)
	def.Throughput.LastIncrease, def.Throughput.LastDecrease, def.Throughput.NumberOfDecreasesToday = 0, 0, 0
	for i := range def.Global {
		def.Global[i].Backfilling = false
	}
	return def
}

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
		if u.scales {
			keepReads(o.new, t.Def)
		}
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

// keepReads gives a definition, and its indexes, the read capacity of another one.
func keepReads(def, previous *engine.Definition) {
	def.Throughput.ReadCapacityUnits = previous.Throughput.ReadCapacityUnits
	for i := range def.Global {
		if at := engine.IndexAt(previous.Global, def.Global[i].Name); at >= 0 {
			def.Global[i].Throughput.ReadCapacityUnits = previous.Global[at].Throughput.ReadCapacityUnits
		}
	}
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
