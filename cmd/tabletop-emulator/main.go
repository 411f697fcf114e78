// Command tabletop-emulator is Tabletop's emulator of Amazon DynamoDB and Azure Cosmos DB alone, with the commands for
// a running emulator. It is smaller than tabletop, which has them too.
package main

import (
	"os"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/cli/emulatorcmd"
)

func main() {
	os.Exit(command.Run(emulatorcmd.Standalone()))
}
