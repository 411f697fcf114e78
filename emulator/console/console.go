// Package console adds the operator's interface to an emulator: the admin API under /_tabletop/, with its documentation
// page, and Prometheus metrics at /metrics. It is a package of its own because of the libraries that it needs. Tests
// that embed an emulator rarely need it, because the methods of [emulator.Emulator] do the same.
package console

import (
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/internal/admin"
)

// Option makes an emulator serve the admin API and Prometheus metrics on its DynamoDB port. See [emulator.WithAdmin]
// for who may use them.
func Option() emulator.Option { return emulator.WithConsole(admin.Console) }
