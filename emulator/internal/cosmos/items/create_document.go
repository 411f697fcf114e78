package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// CreateDocument creates an item; as an upsert, it replaces an existing item.
func CreateDocument(c *operation.Call) *wire.Error { return operation.Do(c, readCreate, runCreate) }

type createInput struct {
	writeInput
	upsert bool
}

func readCreate(r *operation.Request, container *engine.Container) (createInput, *wire.Error) {
	in, err := readWrite(r, container)
	return createInput{writeInput: in, upsert: r.Flag("X-Ms-Documentdb-Is-Upsert")}, err
}

func runCreate(r *operation.Run, in createInput) *wire.Error {
	triggers, err := in.triggers.Find(r, in.name())
	if err != nil {
		return err
	}
	document, item := in.document, in.item
	upsert, conditions := in.upsert, in.conditions
	var out struct {
		item   *engine.Item
		status int
	}
	t, err := triggers.Transact(r, in.key, func(t *engine.Transaction) (err *wire.Error) {
		if out.item, err = triggers.Before(t, document, item); err != nil {
			return err
		}
		if out.status, err = create(t, out.item, upsert, conditions); err != nil {
			return err
		}
		return triggers.After(t, document, out.item)
	})
	if err != nil {
		return err
	}
	replyWritten(r, out.status, t, out.item, in.encoding)
	triggers.Reply(in.encoding)
	return nil
}

// name returns the name of the operation for triggers.
func (in *createInput) name() string {
	if in.upsert {
		return "Upsert"
	}
	return "Create"
}

// create creates an item or, as an upsert, replaces the one with its id. It returns the status of the response.
func create(t *engine.Transaction, item *engine.Item, upsert bool, conditions engine.Conditions) (status int,
	err *wire.Error) {
	if !upsert {
		return http.StatusCreated, t.Create(item)
	}
	old, err := t.Upsert(item, conditions)
	if old != nil {
		return http.StatusOK, err
	}
	return http.StatusCreated, err
}
