package traffic

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/backend/notification"
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

// costs returns the cost of operations during the attack.
func (n *notifications) costs(ctx context.Context) (map[string]cosmosCost, error) {
	costs, err := n.requestUnits(ctx)
	for operation, cost := range costs {
		before := n.before[operation]
		costs[operation] = cosmosCost{cost.Calls - before.Calls, cost.RU - before.RU}
	}
	return costs, err
}

// Observe returns the acknowledged events and, if the shard has a backend of its own, what that consumed.
func (n *notifications) Observe(ctx context.Context, o *Observations) (err error) {
	o.Acknowledged = n.acknowledged
	if n.config.Cosmos == nil {
		return nil
	}
	used := n.config.Cosmos.Meter.Usage()
	o.Cosmos = &used
	o.Costs, err = n.costs(ctx)
	return err
}

// Inspect reads the stored events or, if their database is not known, the costs of a backend that all shards share.
func (n *notifications) Inspect(ctx context.Context, o *Observations) (err error) {
	if n.config.Cosmos == nil {
		o.Costs, err = n.costs(ctx)
		return err
	}
	o.Early = n.early
	o.Stored, err = n.stored(ctx)
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
