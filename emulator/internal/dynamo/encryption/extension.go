package encryption

import (
	"slices"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Extension has the table keys, and makes tables follow the state of their KMS keys.
type Extension struct {
	engine.BaseExtension
	engine    *engine.Engine
	KMS       KMS // nil: tables report KMS keys, but nothing is encrypted
	TableKeys tableKeys
	timer     keyTimer
}

// accountKeys counts the table keys of an account, which stays registered until they are removed.
type accountKeys struct{ count atomic.Int64 }

func (k *accountKeys) Empty() bool { return k.count.Load() == 0 }

// NewState implements engine.Extension.
func (*Extension) NewState() engine.ExtensionState { return new(accountKeys) }

// New returns the extension of an engine. With nil keys, tables report KMS keys, but nothing is encrypted.
func New(e *engine.Engine, kms KMS) *Extension {
	return &Extension{engine: e, KMS: kms}
}

// Watch makes tables follow their keys from now on.
func (p *Extension) Watch() {
	if p.KMS != nil {
		p.KMS.Watch(p.KeysChanged)
	}
}

func (p *Extension) Stop() { p.timer.stop() }

// PrepareChange encrypts the table key by the KMS key of the new definition. What is written from then on is sealed by
// the table key.
func (p *Extension) PrepareChange(a *engine.Account, from, to *engine.Table) (engine.Writes, error) {
	if to == nil { // the table key stays while the change log or a backup may contain values that it sealed
		if p.TableKeys.get(from.Def.ID) == nil {
			return nil, nil
		}
		return func(tx *store.Tx) error {
			tx.OnCommit(a.Engine.ScheduleRemoval)
			return nil
		}, nil
	}
	wrap, err := p.PrepareKey(a, to.Def)
	if err != nil {
		return nil, err
	}
	to.Def.Sealing = to.Def.Sealing && from != nil
	p.inheritAvailability(to, from)
	return func(tx *store.Tx) error {
		tx.OnCommit(func() { // before the table's gate opens
			p.forgetRemovedIndexes(from, to)
			p.TableKeys.SealTable(to)
			p.TableKeys.InstallSealer(a.Engine.Store)
		})
		if wrap == nil {
			return nil
		}
		return wrap(tx)
	}, nil
}

// forgetRemovedIndexes forgets the key spaces of the indexes that a change removes. from is nil for a new table.
func (p *Extension) forgetRemovedIndexes(from, to *engine.Table) {
	if from == nil {
		return
	}
	left := to.Def.IDs()
	for _, id := range from.Def.IDs() {
		if !slices.Contains(left, id) {
			p.TableKeys.ForgetKeySpace(id)
		}
	}
}

func (p *Extension) BeforeTablesLoad() error { return p.LoadKeys() }

func (p *Extension) AfterTablesLoad() error {
	p.TableKeys.InstallSealer(p.engine.Store)
	for _, account := range p.TableKeys.accounts() {
		engine.StateOf[*accountKeys](p.engine.EnsureAccount(account)).count.Add(1)
		p.engine.ScheduleRemoval()
	}
	return nil
}

// TableLoaded gives a loaded table its availability, and has its values sealed if it has a table key.
func (p *Extension) TableLoaded(t *engine.Table) {
	p.inheritAvailability(t, nil)
	p.TableKeys.SealTable(t)
}
