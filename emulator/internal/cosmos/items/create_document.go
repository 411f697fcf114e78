package items

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/scripts"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// CreateDocument makes an item; as an upsert, it replaces one that is there.
func CreateDocument(c *operation.Call) *wire.Error {
	v, err := readDocumentBody(c)
	if err != nil {
		return err
	}
	made, key, err := readItemToWrite(c, v)
	if err != nil {
		return err
	}
	status, upsert, operation := http.StatusCreated, c.Flag("X-Ms-Documentdb-Is-Upsert"), "Create"
	if upsert {
		operation = "Upsert"
	}
	run, err := scripts.FindTriggers(c, operation)
	if err != nil {
		return err
	}
	given := made
	t, err := run.Transact(c, key, func(t *engine.Transaction) (err *wire.Error) {
		status = http.StatusCreated
		if made, err = run.Before(t, v, given); err != nil {
			return err
		}
		if !upsert {
			err = t.Create(made)
		} else if old, problem := t.Upsert(made, c.Conditions()); problem != nil {
			err = problem
		} else if old != nil {
			status = http.StatusOK
		}
		if err != nil {
			return err
		}
		return run.After(t, v, made)
	})
	if err != nil {
		return err
	}
	replyWritten(c, status, t, made)
	run.Reply()
	return nil
}
