package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// replaceShelved replaces a script, a user, a permission or a client encryption key. Another id in the body is the resource's new one.
func (c *call) replaceShelved() *Error {
	s, err := c.shelf()
	if err != nil {
		return err
	}
	v, err := c.shelvedBody(s)
	if err != nil {
		return err
	}
	one := &shelved{id: v.Field("id").Str(), body: v}
	if err := c.change(s, func(tx *store.Tx) error {
		old, err := c.existing(s, &tx.Reader, c.route.last())
		if err != nil {
			return err
		}
		if one.id != old.id && s.named {
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
		one.number, one.made = old.number, old.made
		return c.shelve(tx, s, one)
	}); err != nil {
		return err
	}
	c.charge = chargeMetadataWrite
	return c.replyShelved(http.StatusOK, s, one)
}

func firstError(err error, own *Error) error {
	if err != nil {
		return err
	}
	return own
}
