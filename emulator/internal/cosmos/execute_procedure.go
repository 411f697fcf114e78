package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
)

// executeProcedure runs a stored procedure: all that it does to the items of one logical partition, or nothing.
func (c *call) executeProcedure() *Error {
	args, err := c.arguments()
	if err != nil {
		return err
	}
	key, err := c.wholeKey()
	if err != nil {
		return err
	}
	procedure, err := c.findShelved(c.container.scripts(kindProcedure), c.route.last())
	if err != nil {
		return err
	}
	if procedure == nil {
		return notFound(c.route.last())
	}
	var result script.Result
	t, err := c.transact(key, func(t *transaction) *Error {
		var err error
		result, err = c.s.scripts.Procedure(c.ctx(), script.Procedure{Name: procedure.id + ".js", Source: procedure.body.Field("body").Str(),
			Args: args, Logs: c.flag("X-Ms-Documentdb-Script-Enable-Logging")}, &partitionItems{c, t})
		if err != nil {
			return c.scriptError(err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if result.Log != "" {
		c.out.set(headerLog, result.Log)
	}
	if !result.Body.Defined() {
		result.Body = doc.String("") // as a live account answers a procedure that sets no body
	}
	c.stamp(t.epk, max(t.lsn, c.container.sequence.floor()))
	c.reply(http.StatusOK, result.Body)
	c.out.etag = ""
	return nil
}

// arguments are those of a stored procedure: the body is an array of them, or nothing.
func (c *call) arguments() ([]doc.Value, *Error) {
	if len(c.body) == 0 {
		return nil, nil
	}
	v, err := c.json()
	if err != nil {
		return nil, err
	}
	if v.Kind() != doc.List && v.Kind() != doc.Null {
		return nil, invalidInput("The arguments of a stored procedure must be a JSON array.")
	}
	return v.Elements(), nil
}
