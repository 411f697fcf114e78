package traffic

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/usage"
)

// Cosmos is the Cosmos DB account of a backend under attack.
type Cosmos struct {
	Client   *azcosmos.Client // to count the stored events
	Database string
	Meter    *usage.CosmosMeter // attached to the backend's client
}

// cosmosCost is the backend's report on an operation.
type cosmosCost struct {
	Calls int64
	RU    float64
}

func (n *notifications) requestUnits(ctx context.Context) (map[string]cosmosCost, error) {
	var stats struct{ Costs map[string]cosmosCost }
	err := n.api.do(ctx, call{http.MethodGet, "/notification/stats", nil}, nil, &stats)
	return stats.Costs, err
}

// Measure reports the cost of operations during the attack, how often the database throttled, and whether acknowledged
// events are missing.
func (n *notifications) Measure(ctx context.Context, r *result.Report) error {
	after, err := n.requestUnits(ctx)
	if err != nil {
		return err
	}
	for operation, cost := range after {
		calls, units := cost.Calls-n.before[operation].Calls, cost.RU-n.before[operation].RU
		if calls > 0 {
			r.RequestUnits = append(r.RequestUnits, result.UnitCost{
				Operation: operation, Calls: calls, RU: units / float64(calls), Documented: result.DocumentedUnits()[operation],
			})
		}
	}
	slices.SortFunc(r.RequestUnits, func(a, b result.UnitCost) int { return strings.Compare(a.Operation, b.Operation) })
	if n.config.Cosmos == nil {
		return nil
	}
	for i, units := range n.config.Cosmos.Meter.ByStage(r.Profile.Stages) {
		r.Stages[i].RequestUnitsPerSecond = &units
	}
	throttled := n.config.Cosmos.Meter.Throttled()
	r.Throttled = &throttled
	stored, err := n.stored(ctx)
	if err == nil {
		r.Durability = n.acknowledged.compare(stored, n.early, r.Errors)
	}
	return err
}

// stored returns the events of all users, by user and id. It reads one partition at a time.
func (n *notifications) stored(ctx context.Context) (map[string]int, error) {
	events, err := n.config.Cosmos.Client.NewContainer(n.config.Cosmos.Database, notification.EventsContainer)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	count := map[string]int{}
	var all errgroup.Group
	all.SetLimit(setupConcurrency)
	for user := range n.tokens {
		all.Go(func() error {
			ids, err := idsOf(ctx, events, n.userOf(user))
			mu.Lock()
			defer mu.Unlock()
			for _, id := range ids {
				count[id]++
			}
			return err
		})
	}
	return count, all.Wait()
}

// idsOf returns the ids of the documents of a partition. The SDK retries requests that the database throttles.
func idsOf(ctx context.Context, c *azcosmos.ContainerClient, key string) (ids []string, err error) {
	for pages := c.NewQueryItemsPager("SELECT VALUE c.id FROM c", azcosmos.NewPartitionKeyString(key),
		nil); pages.More(); {
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
