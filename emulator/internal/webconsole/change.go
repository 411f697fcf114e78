package webconsole

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	cosmos "github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	dynamo "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// readers are how the names of operations begin that change nothing, of both clouds.
var readers = []string{"BatchGet", "Describe", "Get", "List", "Query", "Read", "Scan", "Search", "TransactGet"}

func isReader(operation string) bool {
	for _, prefix := range readers {
		if strings.HasPrefix(operation, prefix) {
			return true
		}
	}
	return operation == ""
}

// dynamoChanges returns what a request to DynamoDB may have changed: the items of tables whose write capacity it
// consumed, or else, if it succeeded, the table that it names.
func dynamoChanges(e *dynamo.Event) (changes []control.Change) {
	if isReader(e.Operation) {
		return nil
	}
	for _, c := range e.Charges {
		if c.Write && c.Index == "" {
			changes = append(changes, control.Change{Cloud: control.DynamoDB, Kind: control.ItemsChange, Name: c.Table})
		}
	}
	if len(e.Charges) == 0 && e.Status < 300 && !isStatement(e.Operation) {
		changes = append(changes, control.Change{Cloud: control.DynamoDB, Kind: control.SchemaChange,
			Name: tableName(e.Request)})
	}
	return changes
}

// isStatement reports whether an operation runs PartiQL statements, which change no tables.
func isStatement(operation string) bool {
	return strings.HasSuffix(operation, "ExecuteStatement") || operation == "ExecuteTransaction"
}

// cosmosItems are the operations of Cosmos DB on items.
var cosmosItems = map[string]bool{"CreateDocument": true, "ReplaceDocument": true, "PatchDocument": true,
	"DeleteDocument": true, "BatchDocuments": true, "ExecuteStoredProcedure": true, "DeletePartitionKey": true}

// cosmosChanges returns what a request to Cosmos DB may have changed.
func cosmosChanges(e *cosmos.Event) []control.Change {
	if isReader(e.Operation) || e.Status >= 300 {
		return nil
	}
	change := control.Change{Cloud: control.CosmosDB, Kind: control.SchemaChange, Name: e.Database}
	if cosmosItems[e.Operation] {
		change.Kind = control.ItemsChange
	}
	if e.Container != "" {
		change.Name += "/" + e.Container
	}
	return []control.Change{change}
}
