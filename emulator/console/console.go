// Package console adds the operator's interface to an emulator: the web console at /_tabletop/console/, the admin API
// under /_tabletop/ with its documentation page, and Prometheus metrics at /metrics. It is a package of its own for the
// libraries that it needs. Tests that embed an emulator rarely need it, because the methods of [emulator.Emulator] do
// the same.
package console

import (
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/internal/admin"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/webconsole"
)

// Option makes an emulator serve the web console and the admin API on its DynamoDB port and on those of Cosmos DB, and
// Prometheus metrics on its DynamoDB port. See [emulator.WithAdmin] for who may use them.
func Option() emulator.Option { return emulator.WithConsole(handlers) }

func handlers(e control.Emulator) control.Console {
	c := admin.Console(e)
	web := webconsole.New(e)
	c.Web, c.Close = web.Handler(), web.Close
	return c
}
