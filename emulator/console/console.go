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

// Extension is a part of the web console's API that your program adds: requests to /_tabletop/console/api/NAME and to
// all paths below it go to its handler, with paths relative to it. The console's guard admits them first, and with
// identities only those of a user who has signed in.
type Extension = webconsole.Extension

// Option makes an emulator serve the web console and the admin API on its DynamoDB port and on those of Cosmos DB, and
// Prometheus metrics on its DynamoDB port. See [emulator.WithAdmin] for who may use them. The console shows the pages
// of the extensions load, specs, simulations and pushes only if they are given; the commands of tabletop give them.
func Option(extensions ...Extension) emulator.Option {
	return emulator.WithConsole(func(e control.Emulator) control.Console {
		c := admin.Console(e)
		web := webconsole.New(e, extensions...)
		c.Web, c.Close = web.Handler(), web.Close
		return c
	})
}
