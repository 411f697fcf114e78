package operation

import (
	"errors"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// substatusCompile is the substatus for a script that does not compile (SubStatusCodes.ScriptCompileError).
const substatusCompile = 0xFFFF

// ScriptError converts the error of a script to a wire error.
func (r *Run) ScriptError(err error) *wire.Error {
	var failed *script.Error
	switch {
	case errors.Is(err, script.ErrBusy):
		return wire.TooManyRequests(wire.BusyRetryDelay)
	case !errors.As(err, &failed):
		return r.Account.Internal(err)
	}
	if failed.Log != "" {
		r.Out.Set(HeaderLog, failed.Log)
	}
	e := wire.BadRequest("Message: %s", wire.ErrorsText(failed.Message))
	switch failed.Reason {
	case script.CompileFailed:
		e.Substatus = substatusCompile
	case script.TimedOut:
		return &wire.Error{Status: http.StatusRequestTimeout, Code: "RequestTimeout", Message: failed.Message}
	default:
		e.Substatus = failed.Number
	}
	return e
}

// HeaderLog is the header with the log of a script.
const HeaderLog = "x-ms-documentdb-script-log-results"
