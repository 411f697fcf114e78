package dynamo

import (
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// applyAll runs changes of different items in one transaction: all of them, or none. failed is called with
// the place of each change that is refused; if it returns nil the others are still tried, and then
// nothing is written.
func (s *Service) applyAll(changes []*change, failed func(i int, err error) error) error {
	keys := make([][]byte, len(changes))
	for i, c := range changes {
		keys[i] = c.key
	}
	err := s.store.Update(store.Latch(keys...), func(tx *store.Tx) error {
		var refused error
		for i, c := range changes {
			if err := c.run(tx); err != nil {
				if refused = err; failed == nil {
					return err
				}
				if err := failed(i, err); err != nil {
					return err
				}
			}
		}
		return refused
	})
	if err != nil {
		return err
	}
	for _, c := range changes {
		s.committed(c)
	}
	return nil
}
