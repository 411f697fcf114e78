package idempotency

import (
	"testing"

	"github.com/google/uuid"
)

// TestIDs gives each key of each owner an id of its own, in the form of a UUID of version 4.
func TestIDs(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, one := range [][2]string{{"ana", "k1"}, {"ana", "k2"}, {"ben", "k1"}, {"ana k", "1"}, {"a", "na k1"}} {
		id := ID(one[0], one[1])
		parsed, err := uuid.Parse(id)
		if err != nil || parsed.Version() != 4 || parsed.Variant() != uuid.RFC4122 {
			t.Errorf("%v: %s is no UUID of version 4: %v", one, id, err)
		}
		if seen[id] || id != ID(one[0], one[1]) {
			t.Errorf("%v: %s is not its own", one, id)
		}
		seen[id] = true
	}
}
