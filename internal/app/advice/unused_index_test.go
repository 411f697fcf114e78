package advice

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// ordersByStatus is a program that writes and reads orders for a time, with an index by status.
func ordersByStatus(span time.Duration, reads int,
	then func(*testing.T, *dynamodb.Client)) func(*testing.T, *dynamodb.Client, *emulator.Emulator) {
	return func(t *testing.T, db *dynamodb.Client, e *emulator.Emulator) {
		newIndexedTable(t, db, "orders", "id", "status", types.Projection{ProjectionType: types.ProjectionTypeAll}, nil)
		for i := range 60 {
			put(t, db, "orders", map[string]string{"id": fmt.Sprint(i), "status": "open"})
		}
		advance(t, e, span)
		for i := range reads {
			get(t, db, "orders", "id", fmt.Sprint(i))
		}
		then(t, db)
	}
}

func nothingMore(*testing.T, *dynamodb.Client) {}

func TestUnusedIndex(t *testing.T) {
	t.Parallel()
	const problem = "60 requests write the index and none reads it, among 60 reads of the table in 20m0s"
	f := wantFindingOver(t, "unused-index", "orders, index by-status", problem,
		ordersByStatus(20*time.Minute, 60, nothingMore))
	if want := `aws dynamodb update-table --table-name orders --global-secondary-index-updates ` +
		`'[{"Delete":{"IndexName":"by-status"}}]'`; !strings.HasSuffix(f.Remedy, want) {
		t.Errorf("remedy %s, want %s", f.Remedy, want)
	}
	if want := 60 * 0.625e-6 * 3 * 730; f.Monthly < want*0.999 || f.Monthly > want*1.001 {
		t.Errorf("costs %f a month, want %f", f.Monthly, want)
	}
}

func TestUnusedIndexLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*testing.T, *dynamodb.Client, *emulator.Emulator){
		"a short recording":    ordersByStatus(time.Minute, 60, nothingMore),
		"a program that loads": ordersByStatus(time.Hour, 0, nothingMore),
		"an index that is read once": ordersByStatus(time.Hour, 60, func(t *testing.T, db *dynamodb.Client) {
			query(t, db, "orders", "by-status", "status", "open", "")
		}),
		"an index that is read for nothing": ordersByStatus(time.Hour, 60, func(t *testing.T, db *dynamodb.Client) {
			query(t, db, "orders", "by-status", "status", "none", "")
		}),
	}
	for name, program := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantNothingOver(t, "unused-index", program)
		})
	}
}
