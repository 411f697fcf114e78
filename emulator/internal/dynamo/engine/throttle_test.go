package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
)

// TestThrottlingErrors checks the exception for each reason, and the name of the member with the reasons.
func TestThrottlingErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		onDemand, index, write bool
		limit                  capacity.Limit
		reason, exception, in  string
	}{
		{false, false, true, capacity.Provisioned, "TableWriteProvisionedThroughputExceeded",
			"ProvisionedThroughputExceededException", "ThrottlingReasons"},
		{false, true, false, capacity.Provisioned, "IndexReadProvisionedThroughputExceeded",
			"ProvisionedThroughputExceededException", "ThrottlingReasons"},
		{false, false, true, capacity.KeyRange, "TableWriteKeyRangeThroughputExceeded",
			"ProvisionedThroughputExceededException", "ThrottlingReasons"},
		{true, false, false, capacity.KeyRange, "TableReadKeyRangeThroughputExceeded", "ThrottlingException",
			"throttlingReasons"},
		{true, true, true, capacity.KeyRange, "IndexWriteKeyRangeThroughputExceeded", "ThrottlingException",
			"throttlingReasons"},
		{true, false, true, capacity.MaxOnDemand, "TableWriteMaxOnDemandThroughputExceeded", "ThrottlingException",
			"throttlingReasons"},
		{true, true, true, capacity.MaxOnDemand, "IndexWriteMaxOnDemandThroughputExceeded",
			"ProvisionedThroughputExceededException", "ThrottlingReasons"},
		{true, false, true, capacity.AccountLimit, "TableWriteAccountLimitExceeded", "RequestLimitExceeded",
			"ThrottlingReasons"},
	} {
		r := capacity.New(capacity.Config{ARN: "arn:of:it", OnDemand: c.onDemand, Index: c.index}, time.Now())
		e := throttledError(&capacity.Throttled{Resource: r, Write: c.write, Limit: c.limit, Index: c.index,
			OnDemand: c.onDemand})
		want := `,"` + c.in + `":[{"reason":"` + c.reason + `","resource":"arn:of:it"}]}`
		if body := string(e.AppendJSON(nil)); e.Name() != c.exception || e.Status != 400 || !strings.HasSuffix(body, want) {
			t.Errorf("%s: %s", c.reason, body)
		}
	}
}
