package traffic

import (
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/usage"
)

// Observations are what only a system has to measure. Those of the shards of a run can be added. Their zero value is
// empty.
type Observations struct {
	Acknowledged acknowledged `json:"acknowledged,omitempty"` // writes of the attack, by id
	// Early has the ids that were stored before the attack, and Stored how often each id is stored after it. Stored is nil
	// if nothing is compared. The leading shard reads both.
	Early  map[string]bool `json:"early,omitempty"`
	Stored map[string]int  `json:"stored"`

	Telemetry *telemetryObservations `json:"telemetry,omitempty"`

	Registrations registrations     `json:"registrations,omitempty"` // device tokens
	Tokens        map[string]string `json:"tokens,omitempty"`        // device tokens: stored after the attack, by device

	Costs  map[string]cosmosCost `json:"costs,omitempty"`  // Cosmos DB, as the backend reports them, by operation
	Cosmos *usage.CosmosUsage    `json:"cosmos,omitempty"` // of a backend with a meter

	Unprocessed int64 `json:"unprocessed,omitempty"` // tables: unprocessed items of batches
}

// Add adds what another shard observed.
func (o *Observations) Add(other Observations) {
	o.Acknowledged = sum(o.Acknowledged, other.Acknowledged)
	o.Stored = sum(o.Stored, other.Stored)
	o.Early = union(o.Early, other.Early)
	o.Tokens = union(o.Tokens, other.Tokens)
	for id, made := range other.Registrations {
		if o.Registrations == nil {
			o.Registrations = registrations{}
		}
		o.Registrations[id] = slices.Concat(o.Registrations[id], made)
	}
	if other.Telemetry != nil {
		if o.Telemetry == nil {
			o.Telemetry = &telemetryObservations{}
		}
		o.Telemetry.add(other.Telemetry)
	}
	for operation, cost := range other.Costs {
		if o.Costs == nil {
			o.Costs = map[string]cosmosCost{}
		}
		was := o.Costs[operation]
		o.Costs[operation] = cosmosCost{was.Calls + cost.Calls, was.RU + cost.RU}
	}
	if other.Cosmos != nil {
		if o.Cosmos == nil {
			o.Cosmos = &usage.CosmosUsage{}
		}
		o.Cosmos.Add(*other.Cosmos)
	}
	o.Unprocessed += other.Unprocessed
}

// Report adds the figures to the report of a run of this profile, which has the counts of its requests.
func (o *Observations) Report(p profile.Profile, r *result.Report) {
	r.Unprocessed = o.Unprocessed
	if o.Telemetry != nil {
		o.Telemetry.report(p, r)
	}
	o.reportUnits(p, r)
	if o.Tokens != nil {
		stale := o.Registrations.stale(o.Tokens)
		r.Stale = &stale
	}
	if o.Stored != nil {
		made := o.Acknowledged
		if made == nil {
			made = o.Registrations.acknowledged()
		}
		r.Durability = made.compare(o.Stored, o.Early, r.Errors)
	}
}

// reportUnits reports the request units of operations, and of containers.
func (o *Observations) reportUnits(p profile.Profile, r *result.Report) {
	for operation, cost := range o.Costs {
		if cost.Calls > 0 {
			r.RequestUnits = append(r.RequestUnits, result.UnitCost{Operation: operation, Calls: cost.Calls,
				RU: cost.RU / float64(cost.Calls), Documented: result.DocumentedUnits()[operation]})
		}
	}
	slices.SortFunc(r.RequestUnits, func(a, b result.UnitCost) int { return strings.Compare(a.Operation, b.Operation) })
	if o.Cosmos == nil {
		return
	}
	for i, units := range o.Cosmos.ByStage(p.Stages) {
		r.Stages[i].RequestUnitsPerSecond = &units
	}
	r.Throttled = &o.Cosmos.Throttled
}

// sum adds the numbers of two maps. It returns nil if both are nil.
func sum[M ~map[string]int](a, b M) M {
	if a == nil {
		return maps.Clone(b)
	}
	for id, n := range b {
		a[id] += n
	}
	return a
}

// union returns the entries of both maps. It returns nil if both are nil.
func union[V any](a, b map[string]V) map[string]V {
	if a == nil {
		return maps.Clone(b)
	}
	maps.Copy(a, b)
	return a
}
