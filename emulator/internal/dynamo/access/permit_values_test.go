package access

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// The attributes of a request are gathered once for all policies.
func TestPolicyAttributesAreCollectedOnce(t *testing.T) {
	t.Parallel()
	q := AccessContext{refs: []engine.ResourceRef{{}}, to: 1,
		collected: &engine.PolicyValues{Attributes: engine.NamedAttributes{List: []string{"once"}}}}
	if got := q.Values("dynamodb:attributes"); len(got) != 1 || got[0] != "once" {
		t.Errorf("gathered again: %v", got)
	}
}
