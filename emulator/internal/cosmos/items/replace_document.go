package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReplaceDocument replaces an existing item.
func ReplaceDocument(c *operation.Call) *wire.Error { return operation.Do(c, readReplace, runReplace) }

type replaceInput struct {
	writeInput
	id          string
	immutableID bool // the request may not change the id
}

func readReplace(r *operation.Request, container *engine.Container) (replaceInput, *wire.Error) {
	in, err := readWrite(r, container)
	return replaceInput{writeInput: in, id: r.ItemID(container), immutableID: r.ImmutableID}, err
}

func runReplace(r *operation.Run, in replaceInput) *wire.Error {
	triggers, err := in.triggers.Find(r, "Replace")
	if err != nil {
		return err
	}
	var item *engine.Item
	t, err := triggers.Transact(r, in.key, func(t *engine.Transaction) *wire.Error {
		seen, err := triggers.Document(t, in.document, in.id)
		if err != nil {
			return err
		}
		if item, err = triggers.Before(t, seen, in.item); err != nil {
			return err
		}
		if in.immutableID && item.ID != in.id {
			return wire.InsufficientPermissions()
		}
		if _, err = t.Replace(in.id, item, in.conditions); err != nil {
			return err
		}
		return triggers.After(t, seen, item)
	})
	if err != nil {
		return err
	}
	replyWritten(r, http.StatusOK, t, item, in.encoding)
	triggers.Reply(in.encoding)
	return nil
}
