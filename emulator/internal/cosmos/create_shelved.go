package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// createChild makes a script, a user, a permission or a client encryption key; as an upsert, it replaces one that is there.
func createChild(c *call) *Error {
	s, err := c.childSet()
	if err != nil {
		return err
	}
	v, err := c.childBody(s)
	if err != nil {
		return err
	}
	one := &ChildResource{id: v.Field("id").Str(), body: v}
	status := http.StatusCreated
	if err := c.changeChildren(s, func(tx *store.Tx) error {
		all, err := s.all(&tx.Reader)
		if err != nil {
			return err
		}
		one.number, one.created = c.account.random.Next()>>24&(1<<31-1), c.account.now().Unix()
		for _, other := range all {
			switch {
			case other.id == one.id && !c.flag("X-Ms-Documentdb-Is-Upsert"):
				return conflict()
			case other.id == one.id:
				one.number, one.created, status = other.number, other.created, http.StatusOK
				if err := c.checkMatch(other.etag); err != nil {
					return err
				}
			case s.kind == kindPermission && sameGrant(other.body, v):
				return conflict()
			}
		}
		if s.limit > 0 && len(all) >= s.limit && status == http.StatusCreated {
			return forbidden("The container has as many resources of the kind %s as it may have: %d.", s.kind, s.limit)
		}
		return c.storeChild(tx, s, one)
	}); err != nil {
		return err
	}
	c.charge = chargeMetadataWrite
	return c.replyChild(status, s, one)
}
