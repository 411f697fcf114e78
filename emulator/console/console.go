// Package console adds to an emulator what programs and people use at one that runs: the admin API below /_tabletop/,
// with its docs page, and the metrics that Prometheus reads at /metrics. It is a package of its own because of the
// libraries that it needs; tests that embed an emulator rarely need it, for the methods of [emulator.Emulator] do the
// same.
package console

import (
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/internal/admin"
)

// Option makes an emulator answer the admin API and Prometheus on its DynamoDB port. Who may use them says
// [emulator.WithAdmin].
func Option() emulator.Option { return emulator.WithConsole(admin.Console) }
