package engine

import (
	"fmt"
	"testing"
)

// Names of attributes are gathered in linear time.
func TestNamesOfAttributesAreGatheredOnce(t *testing.T) {
	t.Parallel()
	var n NamedAttributes
	for range 2 {
		for i := range 200_000 {
			n.Add(fmt.Sprintf("a%d", i))
		}
	}
	if len(n.List) != 200_000 || n.List[7] != "a7" {
		t.Errorf("%d names", len(n.List))
	}
}
