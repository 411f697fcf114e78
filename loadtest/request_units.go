package loadtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

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

// CosmosMeter counts how often a client of Cosmos DB is refused as too busy: it is a policy for each of its tries.
type CosmosMeter struct{ throttled atomic.Int64 }

// Do implements policy.Policy.
func (m *CosmosMeter) Do(req *policy.Request) (*http.Response, error) {
	res, err := req.Next()
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
		"throttled_requests": {unit: "requests", of: func(r *Report) (float64, bool) { return float64(value(r.Throttled)), r.Throttled != nil }},
		"lost_events":        {unit: "events", of: func(r *Report) (float64, bool) { return float64(value(r.LostEvents)), r.LostEvents != nil }},
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
	throttled := n.config.Cosmos.Meter.throttled.Load()
	r.Throttled = &throttled
	stored, err := n.stored(ctx)
	lost := n.enqueued.Load() - stored
	r.LostEvents = &lost
	return err
}

// stored counts the events of all users, each partition by itself.
func (n *notifications) stored(ctx context.Context) (int64, error) {
	events, err := n.config.Cosmos.Client.NewContainer(n.config.Cosmos.Database, notification.EventsContainer)
	if err != nil {
		return 0, err
	}
	var sum atomic.Int64
	var all errgroup.Group
	all.SetLimit(builders)
	for user := range n.tokens {
		all.Go(func() error {
			count, err := countOf(ctx, events, n.userOf(user))
			sum.Add(count)
			return err
		})
	}
	err = all.Wait()
	return sum.Load(), err
}

// countOf counts the documents of a partition. The SDK asks a database again that is too busy.
func countOf(ctx context.Context, c *azcosmos.ContainerClient, key string) (count int64, err error) {
	for pages := c.NewQueryItemsPager("SELECT VALUE COUNT(1) FROM c", azcosmos.NewPartitionKeyString(key), nil); pages.More(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return 0, err
		}
		for _, item := range page.Items {
			var n int64
			if err := json.Unmarshal(item, &n); err != nil {
				return 0, err
			}
			count += n
		}
	}
	return count, nil
}
