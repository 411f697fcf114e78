package advice

import (
	"fmt"
	"math"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// indexHoldsBack finds provisioned global indexes with less write capacity than they need: DynamoDB then throttles the
// writes of the table, although the table has capacity. It sees that by throttled writes, or by what the index would
// have needed on an emulator that does not throttle.
var indexHoldsBack = Rule{
	ID:     "index-holds-back-table",
	Title:  "indexes with less write capacity than the writes of their table need",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/gsi-throttling.html",
	watch: func(v *Review) watcher {
		return &narrowWrites{review: v, loads: newMinuteLoads(v), throttled: map[place]*Finding{}}
	},
}

// What it takes for a finding: throttled writes, or minutes in which the index needs more than it has.
const (
	enoughThrottled = 3
	enoughMinutes   = 3
)

type narrowWrites struct {
	review    *Review
	loads     minuteLoads
	throttled map[place]*Finding
}

func (n *narrowWrites) see(r *Request) {
	n.loads.see(r)
	for _, each := range list(r.Result["ThrottlingReasons"]) {
		reason, _ := object(each)["reason"].(string)
		resource, _ := object(each)["resource"].(string)
		if _, index, ok := strings.Cut(resource, "/index/"); ok && reason == "IndexWriteProvisionedThroughputExceeded" {
			of := place{tableName(resource), index}
			if n.throttled[of] == nil {
				n.throttled[of] = &Finding{Table: of.table, Index: of.index}
			}
			n.throttled[of].show(r, "is throttled, because the index has no write capacity left")
		}
	}
}

func (n *narrowWrites) conclude() []Finding {
	var all []Finding
	for name, t := range n.review.Tables {
		for index, x := range t.Indexes {
			if !t.OnDemand && !x.Local && x.Write > 0 {
				all = n.append(all, t, x, place{name, index})
			}
		}
	}
	return all
}

// append appends what is to be found about an index.
func (n *narrowWrites) append(all []Finding, t *Table, x *Index, of place) []Finding {
	minutes, most := n.busy(t, x, of)
	f := n.throttled[of]
	switch {
	case f != nil && f.Times >= enoughThrottled:
		f.Problem = thousands.Sprintf("%d writes of the table are throttled by the index, which has %.0f write units a second; "+
			"the table has %.0f", f.Times, x.Write, t.Write)
	case minutes >= enoughMinutes:
		f = &Finding{Table: of.table, Index: of.index, Times: 1, Shown: []Evidence{{
			Text: thousands.Sprintf("%d minutes need more; the busiest %.1f write units a second", minutes, most)}}}
		f.Problem = thousands.Sprintf("the index needs up to %.1f write units a second and has %.0f, so that DynamoDB throttles "+
			"the writes of the table, which has %.0f", most, x.Write, t.Write)
	default:
		return all
	}
	f.Remedy = fmt.Sprintf("Give the index at least the write capacity of the table, or the same auto scaling:\n"+
		"aws dynamodb update-table --table-name %s --global-secondary-index-updates %s", of.table,
		shellJSON([]any{indexCapacity(of.index, x.Read, math.Ceil(max(t.Write, most, x.Write+1)))}))
	return append(all, *f)
}

// busy returns the number of minutes in which the index needs more write capacity than it has, but the table does not,
// and the most units a second that it needs in one.
func (n *narrowWrites) busy(t *Table, x *Index, of place) (minutes int, most float64) {
	for minute, l := range n.loads.of[of] {
		if l.write > 60*x.Write && n.loads.of[place{of.table, ""}][minute].write <= 60*t.Write {
			minutes++
			most = max(most, l.write/60)
		}
	}
	return minutes, most
}
