package encryption

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"

// Extension has the table keys, and makes tables follow the state of their KMS keys.
type Extension struct {
	engine.BaseExtension
	engine    *engine.Engine
	KMS       KMS // nil: tables report KMS keys, but nothing is encrypted
	TableKeys tableKeys
	timer     keyTimer
}

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
func (p *Extension) PrepareChange(a *engine.Account, from, to *engine.Table) (engine.Steps, error) {
	if to == nil { // the table key stays while the change log or a backup may contain values that it sealed
		if p.TableKeys.get(from.Def.ID) == nil {
			return engine.Steps{}, nil
		}
		return engine.Steps{Finish: a.Engine.ScheduleRemoval}, nil
	}
	wrap, err := p.PrepareKey(a, to.Def)
	if err != nil {
		return engine.Steps{}, err
	}
	to.Def.Sealing = to.Def.Sealing && from != nil
	p.inheritAvailability(to, from)
	return engine.Steps{Write: wrap, Finish: func() {
		p.TableKeys.SealTable(to)
		p.TableKeys.InstallSealer(a.Engine.Store)
	}}, nil
}

func (p *Extension) BeforeTablesLoad() error { return p.LoadKeys() }

func (p *Extension) AfterTablesLoad() error {
	p.TableKeys.InstallSealer(p.engine.Store)
	if p.TableKeys.any() {
		p.engine.ScheduleRemoval()
	}
	return nil
}

// TableLoaded gives a loaded table its availability, and has its values sealed if it has a table key.
func (p *Extension) TableLoaded(t *engine.Table) {
	p.inheritAvailability(t, nil)
	p.TableKeys.SealTable(t)
}
