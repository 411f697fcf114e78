package usage

import (
	"time"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// CosmosUsage is what a CosmosMeter measured. The usage of several meters can be added. Its zero value is empty.
type CosmosUsage struct {
	Throttled    int64                      `json:"throttled"`     // attempts with status 429
	RequestUnits map[string]map[int]float64 `json:"request_units"` // by container and tenth of a second since the start
}

// Add adds the usage that another meter measured.
func (u *CosmosUsage) Add(other CosmosUsage) {
	u.Throttled += other.Throttled
	if u.RequestUnits == nil {
		u.RequestUnits = map[string]map[int]float64{}
	}
	for container, given := range other.RequestUnits {
		if u.RequestUnits[container] == nil {
			u.RequestUnits[container] = map[int]float64{}
		}
		for tenth, n := range given {
			u.RequestUnits[container][tenth] += n
		}
	}
}

// ByStage returns for each stage the request units per second of its busiest container.
func (u CosmosUsage) ByStage(stages []profile.Stage) []float64 {
	most := make([]float64, len(stages))
	for _, given := range u.RequestUnits {
		sums := make([]float64, len(stages))
		for tenth, units := range given {
			at := time.Duration(tenth) * (time.Second / 10)
			sums[min(profile.Pacer(stages).StageAt(at), len(stages)-1)] += units
		}
		for i, s := range stages {
			most[i] = max(most[i], sums[i]/time.Duration(s.Duration).Seconds())
		}
	}
	return most
}
