package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// replaceChild replaces a script, a user, a permission or a client encryption key. Another id in the body is the resource's new one.
func replaceChild(c *call) *Error {
	s, err := c.childSet()
	if err != nil {
		return err
	}
	v, err := c.childBody(s)
	if err != nil {
		return err
	}
	one := &ChildResource{id: v.Field("id").Str(), body: v}
	if err := c.changeChildren(s, func(tx *store.Tx) error {
		old, err := c.existingChild(s, &tx.Reader, c.route.last())
		if err != nil {
			return err
		}
		if one.id != old.id && s.fixedID {
			return invalidInput("The id of a resource of the kind %s cannot be changed.", s.kind)
		}
		if one.id != old.id {
			if _, taken, err := tx.Get(s.key(one.id)); err != nil || taken {
				return firstError(err, conflict())
			}
			if err := tx.Delete(s.key(old.id)); err != nil {
				return err
			}
		}
		one.number, one.created = old.number, old.created
		return c.storeChild(tx, s, one)
	}); err != nil {
		return err
	}
	c.charge = chargeMetadataWrite
	return c.replyChild(http.StatusOK, s, one)
}
