package advice

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// capacityMode finds tables whose capacity mode is dearer than the other one, at the rate of the recording. On demand
// is compared with provisioned capacity under auto scaling, if that would have sufficed; provisioned capacity with on
// demand. It needs some minutes of requests, and a difference that is worth a change.
var capacityMode = Rule{
	ID:     "on-demand-or-provisioned",
	Title:  "tables whose capacity mode costs more than the other one",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CostOptimization_TableCapacityMode.html",
	watch: func(v *Review) watcher {
		return &modes{review: v, loads: newMinuteLoads(v), requests: map[string]*Finding{}}
	},
}

const (
	targetUtilization = 0.7 // of auto scaling
	scaleInMinutes    = 15  // how long auto scaling waits with less load before it scales in
	enoughRequests    = 100
	worthUSD          = 5.0 // a month
	worthShare        = 0.7 // of the present cost, at most, remains
)

type modes struct {
	review   *Review
	loads    minuteLoads
	requests map[string]*Finding // by table
}

func (m *modes) see(r *Request) {
	m.loads.see(r)
	for _, c := range r.Consumed {
		if c.Index != "" {
			continue
		}
		f := m.requests[c.Table]
		if f == nil {
			f = &Finding{Table: c.Table}
			m.requests[c.Table] = f
		}
		f.show(r, thousands.Sprintf("consumes %.1f units", c.Units))
	}
}

func (m *modes) conclude() []Finding {
	if m.review.Span < longEnough {
		return nil
	}
	var all []Finding
	for name, f := range m.requests {
		t := m.review.Tables[name]
		if t == nil || f.Times < enoughRequests {
			continue
		}
		onDemand, capacity, sufficient := m.needs(t)
		scaled := 0.0
		for _, c := range capacity {
			scaled += m.review.capacityMonthly(c.read, c.write)
		}
		switch provisioned := m.review.provisionedMonthly(t); {
		case t.OnDemand && sufficient && worth(onDemand, scaled):
			f.toProvisioned(onDemand, scaled, capacity)
		case !t.OnDemand && worth(provisioned, onDemand):
			f.toOnDemand(provisioned, onDemand)
		default:
			continue
		}
		all = append(all, *f)
	}
	return all
}

// worth reports whether a cost is so much below the present one that a change is worth it.
func worth(present, other float64) bool {
	return other <= present*worthShare && present-other >= worthUSD
}

// provisionedMonthly returns what a table and its indexes cost a month with the capacity that they have.
func (v *Review) provisionedMonthly(t *Table) float64 {
	sum := v.capacityMonthly(t.Read, t.Write)
	for _, x := range t.Indexes {
		sum += v.capacityMonthly(x.Read, x.Write)
	}
	return sum
}

// needs returns what the requests to a table and its indexes cost a month on demand, the average capacity that auto
// scaling would give each, by the name of the index, and whether it would have been in time.
func (m *modes) needs(t *Table) (onDemand float64, capacity map[string]load, sufficient bool) {
	sufficient, capacity = true, map[string]load{}
	for name, x := range t.Indexes {
		if !x.Local {
			capacity[name] = load{1, 1} // also without requests
		}
	}
	span := int(m.review.Span/time.Minute) + 1
	for index, minutes := range m.loads.billed(t) {
		reads, writes := series(minutes)
		read, readOK := autoScaled(reads, span)
		write, writeOK := autoScaled(writes, span)
		capacity[index], sufficient = load{read, write}, sufficient && readOK && writeOK
		for _, l := range minutes {
			onDemand += m.review.monthly(cost.ReadRequests, l.read) + m.review.monthly(cost.WriteRequests, l.write)
		}
	}
	return onDemand, capacity, sufficient
}

// series returns the average units a second of the minutes that have any.
func series(minutes map[int]load) (reads, writes map[int]float64) {
	reads, writes = map[int]float64{}, map[int]float64{}
	for i, l := range minutes {
		if l.read > 0 {
			reads[i] = l.read / 60
		}
		if l.write > 0 {
			writes[i] = l.write / 60
		}
	}
	return reads, writes
}

// autoScaled returns the average capacity that auto scaling provides in a span of minutes for the units a second of
// those that have any, and whether it was enough in each minute: whether the capacity for the minutes before was. The
// emulator's clock may have been set forward by years, so that the work depends on the loads and not on the span.
func autoScaled(perSecond map[int]float64, span int) (average float64, sufficient bool) {
	capacity := func(minute int) float64 {
		most := 0.0
		for i := minute - scaleInMinutes; i <= minute; i++ {
			most = max(most, perSecond[i])
		}
		return max(math.Ceil(most/targetUtilization), 1)
	}
	sufficient = true
	above, counted := 0.0, 0 // capacity above the least one, of the minutes up to this one
	for i, minute := range slices.Sorted(maps.Keys(perSecond)) {
		if i > 0 && perSecond[minute] > capacity(minute-1) {
			sufficient = false
		}
		end := min(minute+scaleInMinutes+1, span)
		for scaled := max(minute, counted); scaled < end; scaled++ {
			above += capacity(scaled) - 1
		}
		counted = end
	}
	return 1 + above/float64(span), sufficient
}

func (f *Finding) toProvisioned(onDemand, scaled float64, capacity map[string]load) {
	f.Problem = thousands.Sprintf("on demand, the table costs $%.2f a month at this rate; provisioned, with auto scaling at "+
		"%.0f %% utilization, $%.2f", onDemand, targetUtilization*100, scaled)
	f.Monthly = onDemand - scaled
	own := capacity[""]
	delete(capacity, "")
	f.Remedy = fmt.Sprintf("If the load is as steady as this all day, use provisioned capacity with auto scaling, to begin "+
		"with:\naws dynamodb update-table --table-name %s --billing-mode PROVISIONED --provisioned-throughput "+
		"ReadCapacityUnits=%.0f,WriteCapacityUnits=%.0f%s", f.Table, math.Ceil(own.read), math.Ceil(own.write),
		provisionIndexes(capacity))
}

// provisionIndexes returns the argument of update-table that gives global indexes capacity.
func provisionIndexes(capacity map[string]load) string {
	var updates []any
	for _, name := range slices.Sorted(maps.Keys(capacity)) {
		c := capacity[name]
		updates = append(updates, indexCapacity(name, math.Ceil(c.read), math.Ceil(c.write)))
	}
	if updates == nil {
		return ""
	}
	return " --global-secondary-index-updates " + shellJSON(updates)
}

// indexCapacity returns the update that gives a global index capacity.
func indexCapacity(name string, read, write float64) map[string]any {
	type object = map[string]any
	return object{"Update": object{"IndexName": name,
		"ProvisionedThroughput": object{"ReadCapacityUnits": read, "WriteCapacityUnits": write}}}
}

func (f *Finding) toOnDemand(provisioned, onDemand float64) {
	f.Problem = thousands.Sprintf("the provisioned capacity of the table and its indexes costs $%.2f a month; on demand, the "+
		"requests would cost $%.2f at this rate", provisioned, onDemand)
	f.Monthly = provisioned - onDemand
	f.Remedy = "Pay for requests, or provision less:\naws dynamodb update-table --table-name " + f.Table +
		" --billing-mode PAY_PER_REQUEST"
}
