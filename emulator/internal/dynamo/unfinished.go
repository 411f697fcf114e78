package dynamo

import "context"

// A new index is filled, the items of a table that gets a time to live are entered in the order of expiry, and those of one
// that gets a key of its own are sealed, in many transactions, after the definition that says so. It says too that this is under way, so that a process that dies
// meanwhile is followed by one that finishes it.

// unfinished says whether something of a definition is under way.
func (def *definition) unfinished() bool {
	for _, x := range def.Global {
		if x.Backfilling {
			return true
		}
	}
	return def.EnteringExpiry || def.Sealing
}

// finish does what is under way. a.ddl must be closed, or nobody else know of the account.
func (a *account) finish(t *table) (*table, error) {
	if !t.def.unfinished() || a.service.tableKeys.locked(t.def.ID) {
		return t, nil
	}
	def := t.def.clone()
	if def.Sealing {
		if err := a.sealExisting(t); err != nil {
			return nil, err
		}
		def.Sealing = false
	}
	for i, d := range def.Global {
		if !d.Backfilling {
			continue
		}
		x, _ := t.index(d.Name)
		if err := a.backfill(t, x); err != nil {
			return nil, err
		}
		def.Global[i].Backfilling = false
	}
	if def.EnteringExpiry {
		if err := a.enterExpiry(t); err != nil {
			return nil, err
		}
		def.EnteringExpiry = false
	}
	return a.publish(context.Background(), def, nil)
}

// finishAll does what the last process left under way. s.mu must be held.
func (s *Service) finishAll() error {
	for _, a := range s.accounts {
		for _, t := range *a.tables.Load() {
			if _, err := a.finish(t); err != nil {
				return err
			}
		}
	}
	return nil
}
