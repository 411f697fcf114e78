package encryption

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"

// Plane has the keys of tables that are encrypted by a customer's key, and lets the tables follow what becomes of it.
type Plane struct {
	engine.NoPlane
	engine    *engine.Engine
	Keys      Keys // nil: tables tell of keys and have none
	TableKeys tableKeys
	timer     keyTimer
}

// New makes the plane of an engine. Without keys, tables tell of keys and have none.
func New(s *engine.Engine, keys Keys) *Plane {
	return &Plane{engine: s, Keys: keys}
}

// Watch has tables follow their keys from now on.
func (p *Plane) Watch() {
	if p.Keys != nil {
		p.Keys.Watch(p.KeysChanged)
	}
}

func (p *Plane) Stop() { p.timer.stop() }

// Change has the key of a table encrypted by the customer's key of its new definition, and what is written from then on
// sealed by it.
func (p *Plane) Change(a *engine.Account, from, to *engine.Table) (engine.Steps, error) {
	if to == nil { // the key outlives its table: what it sealed may be in the change log still
		return engine.Steps{}, nil
	}
	wrap, err := p.KeyFor(a, to.Def)
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

func (p *Plane) LoadBefore() error { return p.LoadKeys() }

func (p *Plane) LoadAfter() error {
	p.TableKeys.InstallSealer(p.engine.Store)
	return nil
}

// Loaded has a table that was taken from the store sealed and available as its key says.
func (p *Plane) Loaded(t *engine.Table) {
	p.inheritAvailability(t, nil)
	p.TableKeys.SealTable(t)
}
