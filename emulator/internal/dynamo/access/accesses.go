package access

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// conditionKeys are DynamoDB's own condition keys, as AWS writes them and in lower case, as policies look them up.
var conditionKeys = [...][2]string{
	{"dynamodb:Attributes", "dynamodb:attributes"},
	{"dynamodb:EnclosingOperation", "dynamodb:enclosingoperation"},
	{"dynamodb:FourthPartitionKeyValues", "dynamodb:fourthpartitionkeyvalues"},
	{"dynamodb:FullTableScan", "dynamodb:fulltablescan"},
	{"dynamodb:LeadingKeys", "dynamodb:leadingkeys"},
	{"dynamodb:ReturnConsumedCapacity", "dynamodb:returnconsumedcapacity"},
	{"dynamodb:ReturnValues", "dynamodb:returnvalues"},
	{"dynamodb:SecondPartitionKeyValues", "dynamodb:secondpartitionkeyvalues"},
	{"dynamodb:Select", "dynamodb:select"},
	{"dynamodb:ThirdPartitionKeyValues", "dynamodb:thirdpartitionkeyvalues"},
}

// Record records the accesses that the request needs, permitted or not, in its event.
func (q *AccessContext) Record(req *engine.Request, in wire.Input) error {
	return q.forEachAccess(req, in, func(a identity.Access) error {
		note(req, a)
		return nil
	})
}

// note adds an access to the event of a request.
func note(req *engine.Request, a identity.Access) {
	recorded := telemetry.Access{Action: a.Action, Resource: a.Resource}
	for _, key := range conditionKeys {
		if values := a.Context.Values(key[1]); len(values) > 0 {
			if recorded.Context == nil {
				recorded.Context = map[string][]string{}
			}
			recorded.Context[key[0]] = values
		}
	}
	req.Event.Accesses = append(req.Event.Accesses, recorded)
}
