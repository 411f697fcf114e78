package cosmos

import (
	"errors"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
)

// letterScript is what scripts lie under in a container; behind it the kind's first letter and the id.
const letterScript = 's'

// How many scripts a container may have ("Azure Cosmos DB service quotas", per-container limits).
const (
	maxProcedures = 100
	maxFunctions  = 50
)

// scripts are a container's scripts of a kind.
func (c *container) scripts(k kind) *ChildSet {
	s := &ChildSet{kind: k, prefix: append(c.key(letterScript, 1), k[0]), owner: c.rid, link: c.link()}
	tag := byte(ridProcedure)
	switch k {
	case kindProcedure:
		s.envelope, s.limit = "StoredProcedures", maxProcedures
	case kindTrigger:
		s.envelope, tag = "Triggers", ridTrigger
	case kindUDF:
		s.envelope, s.limit, tag = "UserDefinedFunctions", maxFunctions, ridUDF
	}
	s.rid = func(n uint64) string { return c.childRID(tag, n) }
	return s
}

// checkScript checks what the client gave. A body that does not compile is taken: the service finds out when it is run.
func checkScript(v doc.Value) *Error {
	if v.Field("body").Kind() != doc.Text {
		return missingProperties("body")
	}
	return nil
}

func missingProperties(names ...string) *Error {
	return badRequest("The input content is invalid because the required properties - '%s; ' - are missing", strings.Join(names, "; "))
}

// checkTrigger checks a trigger: when it runs, and at what. Portal and SDKs write these words in different cases.
func checkTrigger(v doc.Value) *Error {
	if err := checkScript(v); err != nil {
		return err
	}
	for name, words := range map[string]string{"triggerType": "pre post", "triggerOperation": "all create update delete replace upsert"} {
		word := v.Field(name)
		if word.Kind() != doc.Text {
			return missingProperties(name)
		}
		if !isOneOf(word.Str(), words) {
			return invalidInput("The property %s has the value %q; it may be one of: %s.", name, word.Str(), words)
		}
	}
	return nil
}

func isOneOf(word, words string) bool {
	for one := range strings.FieldsSeq(words) {
		if strings.EqualFold(one, word) {
			return true
		}
	}
	return false
}

// The substatus of a script that cannot be compiled (SubStatusCodes.ScriptCompileError).
const substatusCompile = 0xFFFF

// scriptError is the answer to a request whose script failed.
func (c *call) scriptError(err error) *Error {
	var failed *script.Error
	switch {
	case errors.Is(err, script.ErrBusy):
		return tooManyRequests(busyFor)
	case !errors.As(err, &failed):
		return c.account.internal(err)
	}
	if failed.Log != "" {
		c.out.set(headerLog, failed.Log)
	}
	e := badRequest("Message: %s", errorsText(failed.Message))
	switch failed.Reason {
	case script.Unusable:
		e.Substatus = substatusCompile
	case script.TooLong:
		return &Error{Status: http.StatusRequestTimeout, Code: "RequestTimeout", Message: failed.Message}
	default:
		e.Substatus = failed.Number
	}
	return e
}

// headerLog is the header of what a script logged.
const headerLog = "x-ms-documentdb-script-log-results"

// errorsText is a message as the service puts it into others: {"Errors":["…"]}.
func errorsText(message string) string {
	return doc.Object(doc.Member{Name: "Errors", Value: doc.Array(doc.String(message))}).JSON()
}

// userFunctions are the user-defined functions of a query over the container, whose budget is work. They are to be closed.
func (c *call) userFunctions(work *budget.Budget) *script.Functions {
	return c.account.scripts.Functions(budget.With(c.ctx, work), func(name string) (string, bool) {
		one, err := c.findChild(c.container.scripts(kindUDF), name)
		if err != nil || one == nil {
			return "", false
		}
		return one.body.Field("body").Str(), true
	})
}

// callFunction calls a user-defined function of a query. Errors are as the query's answer has them.
func (q *documentQuery) callFunction(name string, args []doc.Value) (doc.Value, error) {
	if q.functions == nil {
		q.functions = q.userFunctions(q.work)
	}
	v, err := q.functions.Call(name, args)
	switch {
	case errors.Is(err, script.ErrNoFunction):
		return v, badRequest("Message: %s", errorsText("The user-defined function "+name+" does not exist in the container."))
	case err != nil:
		return v, q.scriptError(err)
	}
	return v, nil
}

// close lets go of what the query ran on.
func (q *documentQuery) close() {
	q.work.Close()
	if q.functions != nil {
		q.functions.Close()
	}
}
