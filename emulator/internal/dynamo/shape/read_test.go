package shape

import (
	"errors"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// list is a structure with lists in a list.
type list struct{ Rows []row }

type row struct{ Cells []row }

// TestElementsOfListsAreLimited decodes lists in lists with as many elements as are allowed, and one more.
func TestElementsOfListsAreLimited(t *testing.T) {
	t.Parallel()
	for more, refused := range map[string]bool{"": false, ",{}": true} {
		cells := `{"Cells":[{}` + strings.Repeat(",{}", 98) + `]}` // a row and 99 cells
		text := `{"Rows":[` + cells + strings.Repeat(","+cells, MaxElements/100-1) + more + `]}`
		r, err := jsonread.New([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var wrongType *item.TypeError
		if err := Read(&r, &list{}); errors.As(err, &wrongType) != refused || !refused && err != nil {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}
