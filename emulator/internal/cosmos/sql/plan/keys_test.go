package plan

import (
	"runtime"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// TestAWideObjectInAFilterIsReadOnce compares a partition key with objects of one and of two widths: the second takes
// no more than about twice the memory.
func TestAWideObjectInAFilterIsReadOnce(t *testing.T) {
	s := &solver{root: "c", paths: [][]string{{"pk"}}}
	allocated := func(width int) uint64 {
		filter := &ast.Binary{Op: ast.Eq, L: &ast.Member{Of: &ast.Ident{Name: "c"}, Name: "pk"}, R: &ast.Object{}}
		for i := range width {
			filter.R.(*ast.Object).Properties = append(filter.R.(*ast.Object).Properties,
				ast.Property{Name: strings.Repeat("p", i), Value: &ast.Literal{Value: doc.Number(1)}})
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		keys := s.keys(filter)
		runtime.ReadMemStats(&after)
		if len(keys) != 1 || keys[0][0] == nil || keys[0][0].Defined() {
			t.Errorf("%v", keys)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	const width, most = 1000, 1 << 20 // bytes
	if once, twice := allocated(width), allocated(2*width); twice > 3*once+most {
		t.Errorf("%d bytes, and %d for twice as many properties", once, twice)
	}
}
