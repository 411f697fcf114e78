package advice

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// loaded puts items of 300 KB, as many in each minute as perMinute says, in a table on demand, or else provisioned.
func loaded(capacity *types.ProvisionedThroughput, perMinute ...int) func(*testing.T, *dynamodb.Client,
	*emulator.Emulator) {
	return func(t *testing.T, db *dynamodb.Client, e *emulator.Emulator) {
		newTable(t, db, "events", "id")
		if capacity != nil {
			if _, err := db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("events"),
				BillingMode: types.BillingModeProvisioned, ProvisionedThroughput: capacity}); err != nil {
				t.Fatal(err)
			}
		}
		for _, n := range perMinute {
			for i := range n {
				put(t, db, "events", map[string]string{"id": fmt.Sprint(i), "text": kilobytes(100)})
			}
			advance(t, e, time.Minute)
		}
	}
}

// minutes returns the same number of items for each of n minutes.
func minutes(n, each int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = each
	}
	return all
}

func TestOnDemandOrProvisioned(t *testing.T) {
	t.Parallel()
	const problem = "on demand, the table costs $35.55 a month at this rate; provisioned, with auto scaling at 70 % utilization, " +
		"$13.86"
	f := wantFindingOver(t, "on-demand-or-provisioned", "events", problem, loaded(nil, minutes(15, 12)...))
	const want = "aws dynamodb update-table --table-name events --billing-mode PROVISIONED " +
		"--provisioned-throughput ReadCapacityUnits=1,WriteCapacityUnits=29"
	if !strings.HasSuffix(f.Remedy, want) {
		t.Errorf("remedy %s, want %s", f.Remedy, want)
	}
}

func TestProvisionedOrOnDemand(t *testing.T) {
	t.Parallel()
	capacity := units(100)
	const problem = "the provisioned capacity of the table and its indexes costs $56.94 a month; on demand, the requests would " +
		"cost $29.62 at this rate"
	wantFindingOver(t, "on-demand-or-provisioned", "events", problem, loaded(&capacity, minutes(15, 10)...))
}

func TestOnDemandOrProvisionedLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	much, little := units(30), units(5)
	cases := map[string]func(*testing.T, *dynamodb.Client, *emulator.Emulator){
		"a short recording":           loaded(nil, minutes(5, 30)...),
		"bursts on demand":            loaded(nil, append(minutes(12, 1), 300)...),
		"few requests":                loaded(nil, minutes(15, 1)...),
		"capacity that is used":       loaded(&much, minutes(15, 10)...),
		"little capacity, little use": loaded(&little, minutes(15, 7)...),
	}
	for name, program := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantNothingOver(t, "on-demand-or-provisioned", program)
		})
	}
}
