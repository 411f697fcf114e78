package idempotency

import (
	"testing"

	"github.com/google/uuid"
)

// TestIDs checks that each key of each owner has an id of its own, in the form of a version 4 UUID.
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
