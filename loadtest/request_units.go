package loadtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend/notification"
)

// Cosmos is the Cosmos DB of a backend under attack.
type Cosmos struct {
	Client   *azcosmos.Client // to count with
	Database string
	Meter    *CosmosMeter // attached to the backend's client
}

// CosmosMeter counts how often a client of Cosmos DB is refused as too busy, and what each container gives over time: it is a
// policy for each of its tries.
type CosmosMeter struct {
	throttled atomic.Int64
	mu        sync.Mutex
	began     time.Time
	given     map[string]map[int]float64 // request units by container and tenth of a second since it began
}

// reset forgets what was counted: the attack begins.
func (m *CosmosMeter) reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.throttled.Store(0)
	m.began, m.given = time.Now(), map[string]map[int]float64{}
}

// give notes what an answer took.
func (m *CosmosMeter) give(container string, units float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.given == nil {
		return
	}
	if m.given[container] == nil {
		m.given[container] = map[int]float64{}
	}
	m.given[container][int(time.Since(m.began)/(time.Second/10))] += units
}

// byStage tells for each stage the request units a second that its busiest container gave.
func (m *CosmosMeter) byStage(stages []Stage) []float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	most := make([]float64, len(stages))
	for _, given := range m.given {
		sums := make([]float64, len(stages))
		for tenth, units := range given {
			at := time.Duration(tenth) * (time.Second / 10)
			sums[min(Pacer(stages).stage(at), len(stages)-1)] += units
		}
		for i, s := range stages {
			most[i] = max(most[i], sums[i]/time.Duration(s.Duration).Seconds())
		}
	}
	return most
}

// Do implements policy.Policy.
func (m *CosmosMeter) Do(req *policy.Request) (*http.Response, error) {
	v := visitOf(req.Raw().Context())
	end := v.begin()
	res, err := req.Next()
	if v != nil {
		v.passBy(cosmosPath(req.Raw(), req.Body()))
		v.take(requestCharge(res))
	}
	end()
	container, _ := cosmosResource(req.Raw().URL.Path)
	m.give(container, requestCharge(res))
	if res != nil && res.StatusCode == http.StatusTooManyRequests {
		m.throttled.Add(1)
	}
	return res, err
}

// UnitCost is what an operation took of Cosmos DB, as the backend tells it, beside what its document says.
type UnitCost struct {
	Operation  string  `json:"operation"`
	Calls      int64   `json:"calls"`
	RU         float64 `json:"ru"`                   // request units of one, in the mean
	Documented float64 `json:"documented,omitempty"` // 0: the document says nothing
}

// documentedUnits are the figures of the notifications' document, by the backend's names of operations.
func documentedUnits() map[string]float64 {
	return map[string]float64{"enqueue": 5, "process": 15, "list": 3, "mark": 5, "set preferences": 5, "register": 10}
}

// unitMetrics are a metric for each operation that the document has a figure of.
func unitMetrics() map[string]metric {
	all := map[string]metric{
		"scale_at_peak":      {unit: timesTheFloor, of: func(r *Report) (float64, bool) { return r.scaling(func(i int) bool { return i == r.Profile.peak() }) }},
		"scale_off_peak":     {unit: timesTheFloor, of: func(r *Report) (float64, bool) { return r.scaling(func(i int) bool { return i != r.Profile.peak() }) }},
		"throttled_requests": {unit: "requests", failures: true, of: func(r *Report) (float64, bool) { return float64(value(r.Throttled)), r.Throttled != nil }},
	}
	for operation, documented := range documentedUnits() {
		all["ru_"+strings.ReplaceAll(operation, " ", "_")] = metric{unit: "RU",
			of: func(r *Report) (float64, bool) {
				i := slices.IndexFunc(r.RequestUnits, func(u UnitCost) bool { return u.Operation == operation })
				if i < 0 {
					return 0, false
				}
				return r.RequestUnits[i].RU, true
			},
			remark: func(*Report) string { return fmt.Sprintf("the document says about %g", documented) },
			absent: "the mix has none of it",
		}
	}
	return all
}

// timesTheFloor is the unit of what a container that scales by itself gives.
const timesTheFloor = "times what autoscale always has"

// autoscaleFloor is the part of an autoscale maximum that is always there ("Create containers with autoscale throughput").
const autoscaleFloor = 0.1

// scaling is the most that the busiest container gave in some stages, against what it always has: above 1 it has scaled up, at
// 10 it is at its maximum.
func (r *Report) scaling(of func(stage int) bool) (most float64, measured bool) {
	for i, s := range r.Stages {
		if of(i) && s.RequestUnitsPerSecond != nil && r.Profile.Autoscale > 0 {
			most, measured = max(most, *s.RequestUnitsPerSecond/(autoscaleFloor*float64(r.Profile.Autoscale))), true
		}
	}
	return most, measured
}

// cosmosCost is what the backend tells of an operation.
type cosmosCost struct {
	Calls int64
	RU    float64
}

func (n *notifications) costs(ctx context.Context) (map[string]cosmosCost, error) {
	var stats struct{ Costs map[string]cosmosCost }
	err := n.api.do(ctx, call{http.MethodGet, "/notification/stats", nil}, nil, &stats)
	return stats.Costs, err
}

// measure tells what operations cost during the attack, how often the database was too busy, and whether an event that was
// acknowledged is not there.
func (n *notifications) measure(ctx context.Context, r *Report) error {
	after, err := n.costs(ctx)
	if err != nil {
		return err
	}
	for operation, cost := range after {
		calls, units := cost.Calls-n.before[operation].Calls, cost.RU-n.before[operation].RU
		if calls > 0 {
			r.RequestUnits = append(r.RequestUnits, UnitCost{operation, calls, units / float64(calls), documentedUnits()[operation]})
		}
	}
	slices.SortFunc(r.RequestUnits, func(a, b UnitCost) int { return strings.Compare(a.Operation, b.Operation) })
	if n.config.Cosmos == nil {
		return nil
	}
	for i, given := range n.config.Cosmos.Meter.byStage(r.Profile.Stages) {
		r.Stages[i].RequestUnitsPerSecond = &given
	}
	throttled := n.config.Cosmos.Meter.throttled.Load()
	r.Throttled = &throttled
	there, err := n.stored(ctx)
	if err == nil {
		r.Kept = n.made.reckon(there, n.early, r.Errors)
	}
	return err
}

// stored finds the events of all users, by user and id: each partition by itself.
func (n *notifications) stored(ctx context.Context) (map[string]int, error) {
	events, err := n.config.Cosmos.Client.NewContainer(n.config.Cosmos.Database, notification.EventsContainer)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	there := map[string]int{}
	var all errgroup.Group
	all.SetLimit(builders)
	for user := range n.tokens {
		all.Go(func() error {
			ids, err := idsOf(ctx, events, n.userOf(user))
			mu.Lock()
			defer mu.Unlock()
			for _, id := range ids {
				there[id]++
			}
			return err
		})
	}
	return there, all.Wait()
}

// idsOf are the ids of the documents of a partition. The SDK asks a database again that is too busy.
func idsOf(ctx context.Context, c *azcosmos.ContainerClient, key string) (ids []string, err error) {
	for pages := c.NewQueryItemsPager("SELECT VALUE c.id FROM c", azcosmos.NewPartitionKeyString(key), nil); pages.More(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			var id string
			if err := json.Unmarshal(item, &id); err != nil {
				return nil, err
			}
			ids = append(ids, id)
		}
	}
	return ids, nil
}
