package dynamo

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// NoteAccesses says whether events have what their requests wanted to do, from the next request on. It costs some
// microseconds a request; at first they have not.
func (s *Service) NoteAccesses(on bool) { s.noting.Store(on) }

// conditionKeys are DynamoDB's own, as AWS writes them and as they are asked for.
var conditionKeys = [...][2]string{
	{"dynamodb:Attributes", "dynamodb:attributes"},
	{"dynamodb:EnclosingOperation", "dynamodb:enclosingoperation"},
	{"dynamodb:LeadingKeys", "dynamodb:leadingkeys"},
	{"dynamodb:ReturnConsumedCapacity", "dynamodb:returnconsumedcapacity"},
	{"dynamodb:ReturnValues", "dynamodb:returnvalues"},
	{"dynamodb:Select", "dynamodb:select"},
}

// noteAccesses notes what the request wants to do, whether it may or not.
func (c *request) noteAccesses(in input) error {
	return c.accesses(in, func(a identity.Access) error {
		noted := telemetry.Access{Action: a.Action, Resource: a.Resource}
		for _, key := range conditionKeys {
			if values := a.Context.Values(key[1]); len(values) > 0 {
				if noted.Context == nil {
					noted.Context = map[string][]string{}
				}
				noted.Context[key[0]] = values
			}
		}
		c.event.Accesses = append(c.event.Accesses, noted)
		return nil
	})
}
