package webconsole

import (
	"slices"
	"strings"
	"testing"

	dynamo "github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// TestDeniedAccessesAreBounded describes a denied batch of many large keys, and a request that failed otherwise.
func TestDeniedAccessesAreBounded(t *testing.T) {
	t.Parallel()
	const key = "dynamodb:LeadingKeys"
	large := strings.Repeat("a", 1000)
	one := dynamo.Access{Action: "dynamodb:PutItem", Resource: "arn",
		Context: map[string][]string{key: slices.Repeat([]string{large}, 6)}}
	e := &dynamo.Event{Error: identity.AccessDenied, Accesses: slices.Repeat([]dynamo.Access{one}, maxAccesses+1)}
	r := dynamoRequestOf(e, false)
	if len(r.Accesses) != maxAccesses || r.Accesses[0].Action != one.Action || len(r.Accesses[0].Context[key]) != 4 {
		t.Errorf("%d accesses, the first has %d keys", len(r.Accesses), len(r.Accesses[0].Context[key]))
	}
	if size := r.size(); size < maxAccesses*4*1000 {
		t.Errorf("the size is %d bytes", size)
	}
	e.Error = "ValidationException"
	if r := dynamoRequestOf(e, false); r.Accesses != nil {
		t.Error("a request that was not denied has accesses")
	}
}
