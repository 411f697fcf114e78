package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// createShelved makes a script, a user, a permission or a client encryption key; as an upsert, it replaces one that is there.
func (c *call) createShelved() *Error {
	s, err := c.shelf()
	if err != nil {
		return err
	}
	v, err := c.shelvedBody(s)
	if err != nil {
		return err
	}
	one := &shelved{id: v.Field("id").Str(), body: v}
	status := http.StatusCreated
	if err := c.change(s, func(tx *store.Tx) error {
		all, err := s.all(&tx.Reader)
		if err != nil {
			return err
		}
		one.number, one.made = c.account.random.Next()>>24&(1<<31-1), c.account.now().Unix()
		for _, other := range all {
			switch {
			case other.id == one.id && !c.flag("X-Ms-Documentdb-Is-Upsert"):
				return conflict()
			case other.id == one.id:
				one.number, one.made, status = other.number, other.made, http.StatusOK
				if err := c.checkMatch(other.etag); err != nil {
					return err
				}
			case s.kind == kindPermission && sameGrant(other.body, v):
				return conflict()
			}
		}
		if s.most > 0 && len(all) >= s.most && status == http.StatusCreated {
			return forbidden("The container has as many resources of the kind %s as it may have: %d.", s.kind, s.most)
		}
		return c.shelve(tx, s, one)
	}); err != nil {
		return err
	}
	c.charge = chargeMetadataWrite
	return c.replyShelved(status, s, one)
}
