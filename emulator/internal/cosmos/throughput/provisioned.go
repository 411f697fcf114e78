package throughput

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// The limits of throughput in RU/s ("Azure Cosmos DB service quotas", provisioned throughput; "Create containers with
// autoscale throughput").
const (
	MinManual     = 400
	ManualStep    = 100
	MinAutoscale  = 1_000
	AutoscaleStep = 1_000
	maxRate       = 1_000_000
	// AutoscaleFloor is the fraction of an autoscale maximum that is always provisioned and billed.
	AutoscaleFloor = 0.1
)

// Provisioned is the throughput of a database or container: manual, or autoscale, which scales with the load between a
// tenth of a maximum and the maximum.
type Provisioned struct {
	Manual    int // RU/s; 0: autoscale
	Maximum   int // of autoscale, in RU/s; 0: manual
	Increment int // percent; of the autoscale upgrade policy
}

// Rate returns the maximum throughput in RU/s.
func (t Provisioned) Rate() int { return max(t.Manual, t.Maximum) }

// Billed returns the throughput billed for an hour, in RU/s. used is the hour's highest consumption in one second.
func (t Provisioned) Billed(used float64) float64 {
	if t.Maximum == 0 {
		return float64(t.Manual)
	}
	return min(float64(t.Maximum), max(AutoscaleFloor*float64(t.Maximum), used))
}

// Content returns the throughput as the content of an offer. highest is the highest throughput ever provisioned.
func (t Provisioned) Content(highestRate int) doc.Value {
	ever := doc.Member{Name: "offerMinimumThroughputParameters", Value: doc.Object(
		doc.Member{Name: "maxThroughputEverProvisioned", Value: doc.Number(float64(highestRate))},
		doc.Member{Name: "maxConsumedStorageEverInKB", Value: doc.Number(0)},
	)}
	if t.Maximum == 0 {
		return doc.Object(doc.Member{Name: "offerThroughput", Value: doc.Number(float64(t.Manual))},
			doc.Member{Name: "offerIsRUPerMinuteThroughputEnabled", Value: doc.Bool(false)}, ever)
	}
	settings := doc.Object(doc.Member{Name: "maxThroughput", Value: doc.Number(float64(t.Maximum))})
	if t.Increment > 0 {
		settings = settings.With("autoUpgradePolicy", doc.Object(doc.Member{Name: "throughputPolicy",
			Value: doc.Object(doc.Member{Name: "incrementPercent", Value: doc.Number(float64(t.Increment))})}))
	}
	return doc.Object(
		doc.Member{Name: "offerThroughput", Value: doc.Number(math.Ceil(AutoscaleFloor * float64(t.Maximum)))},
		doc.Member{Name: "offerIsRUPerMinuteThroughputEnabled", Value: doc.Bool(false)}, ever,
		doc.Member{Name: "offerAutopilotSettings", Value: settings},
	)
}

// Check checks a throughput against the limits and against the minimum of its resource.
func (t Provisioned) Check(minimum int) *wire.Error {
	switch {
	case t.Maximum > 0 && (t.Maximum < max(MinAutoscale, minimum) || t.Maximum%AutoscaleStep != 0 || t.Maximum > maxRate):
		return wire.InvalidInput("The autoscale maximum throughput must be a multiple of %d from %d to %d RU/s, not %d.",
			AutoscaleStep, max(MinAutoscale, minimum), maxRate, t.Maximum)
	case t.Maximum == 0 && (t.Manual < max(MinManual, minimum) || t.Manual%ManualStep != 0 || t.Manual > maxRate):
		return wire.InvalidInput(
			"The offer should have valid throughput values between %d and %d inclusive in increments of %d, not %d.",
			max(MinManual, minimum), maxRate, ManualStep, t.Manual)
	}
	return nil
}

// ParseProvisioned parses the throughput in the content of an offer from a client.
func ParseProvisioned(content doc.Value) (Provisioned, *wire.Error) {
	if settings := content.Field("offerAutopilotSettings"); settings.Kind() == doc.Map {
		return ParseAutoscale(settings)
	}
	n, err := ParseRate(content.Field("offerThroughput"))
	return Provisioned{Manual: n}, err
}

// ParseAutoscale parses autoscale settings: {"maxThroughput":4000,"autoUpgradePolicy":{…}}.
func ParseAutoscale(settings doc.Value) (Provisioned, *wire.Error) {
	n, err := ParseRate(settings.Field("maxThroughput"))
	increment := settings.Field("autoUpgradePolicy").Field("throughputPolicy").Field("incrementPercent").Float()
	return Provisioned{Maximum: n, Increment: int(min(max(increment, 0), 100))}, err
}

// ParseRate parses a whole number of RU/s.
func ParseRate(v doc.Value) (int, *wire.Error) {
	n := v.Float()
	if v.Kind() != doc.Numeric || n != math.Trunc(n) || n < 1 || n > maxRate {
		return 0, wire.InvalidInput("The throughput must be a whole number of RU/s up to %d.", maxRate)
	}
	return int(n), nil
}
