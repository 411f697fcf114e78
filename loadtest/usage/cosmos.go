package usage

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// CosmosMeter counts how often the database throttles a Cosmos DB client, and the request units of each container over
// time. It is a policy that runs for each try of the client.
type CosmosMeter struct {
	throttled    atomic.Int64
	mu           sync.Mutex
	began        time.Time
	requestUnits map[string]map[int]float64 // request units by container and tenth of a second since the start
}

// Reset clears the counters at the start of the attack.
func (m *CosmosMeter) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.throttled.Store(0)
	m.began, m.requestUnits = time.Now(), map[string]map[int]float64{}
}

// record records the request units of a response.
func (m *CosmosMeter) record(container string, units float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.requestUnits == nil {
		return
	}
	if m.requestUnits[container] == nil {
		m.requestUnits[container] = map[int]float64{}
	}
	m.requestUnits[container][int(time.Since(m.began)/(time.Second/10))] += units
}

// Usage returns what was measured since the last Reset.
func (m *CosmosMeter) Usage() CosmosUsage {
	m.mu.Lock()
	defer m.mu.Unlock()
	var u CosmosUsage
	u.Add(CosmosUsage{m.throttled.Load(), m.requestUnits})
	return u
}

// Throttled returns the number of attempts with status 429.
func (m *CosmosMeter) Throttled() int64 { return m.throttled.Load() }

// Do implements policy.Policy.
func (m *CosmosMeter) Do(req *policy.Request) (*http.Response, error) {
	v := requestUsageOf(req.Raw().Context())
	end := v.begin()
	res, err := req.Next()
	if v != nil {
		v.recordPath(cosmosPath(req.Raw(), req.Body()))
		v.addRequestUnits(requestCharge(res))
	}
	end()
	container, _ := cosmosResource(req.Raw().URL.Path)
	m.record(container, requestCharge(res))
	if res != nil && res.StatusCode == http.StatusTooManyRequests {
		m.throttled.Add(1)
	}
	return res, err
}
