package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/store"

// applyAll runs changes of different items in one transaction: all of them or, where one is refused, none.
func (s *Service) applyAll(changes []*change) error {
	if len(changes) == 0 {
		return nil
	}
	keys, tables := make([][]byte, len(changes)), make([]*table, len(changes))
	for i, c := range changes {
		keys[i], tables[i] = c.key, c.table
	}
	defer beginAll(changes).end()
	err := s.store.UpdateContext(changes[0].by.waiting(), latchesOf(keys, tables), func(tx *store.Tx) error {
		for _, c := range changes {
			if err := c.run(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range changes {
		s.committed(c)
	}
	return nil
}
