package cosmos

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
)

// executeProcedure runs a stored procedure: all that it does to the items of one logical partition, or nothing.
func executeProcedure(c *call) *Error {
	args, err := c.readArguments()
	if err != nil {
		return err
	}
	key, err := c.partitionKey()
	if err != nil {
		return err
	}
	procedure, err := c.findChild(c.container.scripts(kindProcedure), c.route.last())
	if err != nil {
		return err
	}
	if procedure == nil {
		return notFound(c.route.last())
	}
	var result script.Result
	t, err := c.transactScripts(key, func(t *transaction) *Error {
		var err error
		result, err = c.account.scripts.Procedure(c.ctx, script.Procedure{Name: procedure.id + ".js", Source: procedure.body.Field("body").Str(),
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
	c.setPartitionHeaders(t.epk, max(t.lsn, c.container.sequence.floor()))
	c.reply(http.StatusOK, result.Body)
	c.out.etag = ""
	return nil
}

// readArguments are those of a stored procedure: the body is an array of them, an object like one, or nothing.
func (c *call) readArguments() ([]doc.Value, *Error) {
	if len(c.body) == 0 {
		return nil, nil
	}
	v, err := c.json()
	if err != nil {
		return nil, err
	}
	switch v.Kind() {
	case doc.Null, doc.List:
		return v.Elements(), nil
	case doc.Map:
		return arrayLike(v)
	}
	return nil, invalidInput("The arguments of a stored procedure must be a JSON array.")
}

// maxArguments is how many arguments a procedure gets of an object that only says how long it is: the service runs out of
// stack before 600,000.
const maxArguments = 100_000

// arrayLike are the elements of an object with a length, such as {"0":"a","length":1}: the service hands the body to
// JavaScript's apply as it is (StoredProcedureTests of the SDK for .NET).
func arrayLike(v doc.Value) ([]doc.Value, *Error) {
	length := v.Field("length")
	n := length.Float()
	if length.Kind() == doc.Text {
		n, _ = strconv.ParseFloat(strings.TrimSpace(length.Str()), 64)
	}
	if !(n >= 1) {
		return nil, nil
	}
	if n > maxArguments {
		return nil, invalidInput("A stored procedure has at most %d arguments.", maxArguments)
	}
	args := make([]doc.Value, int(n))
	for _, m := range v.Members() {
		if i, err := strconv.Atoi(m.Name); err == nil && i >= 0 && i < len(args) && strconv.Itoa(i) == m.Name {
			args[i] = m.Value
		}
	}
	return args, nil
}
