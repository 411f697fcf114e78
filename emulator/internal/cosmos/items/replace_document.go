package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/scripts"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReplaceDocument replaces an item that is there.
func ReplaceDocument(c *operation.Call) *wire.Error {
	v, err := readDocumentBody(c)
	if err != nil {
		return err
	}
	made, key, err := readItemToWrite(c, v)
	if err != nil {
		return err
	}
	run, err := scripts.FindTriggers(c, "Replace")
	if err != nil {
		return err
	}
	given := made
	t, err := run.Transact(c, key, func(t *engine.Transaction) *wire.Error {
		seen, err := run.Document(t, v, c.ItemID())
		if err != nil {
			return err
		}
		if made, err = run.Before(t, seen, given); err != nil {
			return err
		}
		if err = c.CheckNewID(made.ID); err != nil {
			return err
		}
		if _, err = t.Replace(c.ItemID(), made, c.Conditions()); err != nil {
			return err
		}
		return run.After(t, seen, made)
	})
	if err != nil {
		return err
	}
	replyWritten(c, http.StatusOK, t, made)
	run.Reply()
	return nil
}
