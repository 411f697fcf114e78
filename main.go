// Command tabletop is a cloud database on your machine: an emulator of Amazon DynamoDB and Azure Cosmos DB, backends
// with documented schemas, their specs and load profiles, and simulators of the devices and people that make the
// traffic.
//
// Run it without arguments for the list of commands. The emulator alone is cmd/tabletop-emulator.
package main

import (
	"os"

	"github.com/tabletop-db/tabletop/internal/app/cli"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/startpath"
)

func main() {
	os.Exit(run())
}

func run() int {
	startpath.Restore()
	return command.Run(cli.Root())
}
