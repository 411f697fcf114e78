package cosmos

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Limits of throughput ("Azure Cosmos DB service quotas", provisioned throughput; "Create containers with autoscale
// throughput").
const (
	minManual    = 400
	manualStep   = 100
	minAutoscale = 1_000
	autoStep     = 1_000
	maxRate      = 1_000_000
	// autoscaleFloor is the part of an autoscale maximum that is always there, and billed.
	autoscaleFloor = 0.1
)

// Provisioned is what a database or container was given: a rate that stays, or one that goes up to a maximum with what is
// asked, and down to a tenth of it.
type Provisioned struct {
	manual    int // request units a second; 0 where it is autoscale
	maximum   int // of autoscale; 0 where it is manual
	increment int // percent; of autoscale: the policy's
}

// rate is what may be spent in a second at most.
func (t Provisioned) rate() int { return max(t.manual, t.maximum) }

// billed is the throughput of an hour in which at most used was spent in a second.
func (t Provisioned) billed(used float64) float64 {
	if t.maximum == 0 {
		return float64(t.manual)
	}
	return min(float64(t.maximum), max(autoscaleFloor*float64(t.maximum), used))
}

// content is the throughput as an offer has it, whose highest ever is known.
func (t Provisioned) content(highest int) doc.Value {
	ever := doc.Member{Name: "offerMinimumThroughputParameters", Value: doc.Object(
		doc.Member{Name: "maxThroughputEverProvisioned", Value: doc.Number(float64(highest))},
		doc.Member{Name: "maxConsumedStorageEverInKB", Value: doc.Number(0)},
	)}
	if t.maximum == 0 {
		return doc.Object(doc.Member{Name: "offerThroughput", Value: doc.Number(float64(t.manual))},
			doc.Member{Name: "offerIsRUPerMinuteThroughputEnabled", Value: doc.Bool(false)}, ever)
	}
	settings := doc.Object(doc.Member{Name: "maxThroughput", Value: doc.Number(float64(t.maximum))})
	if t.increment > 0 {
		settings = settings.With("autoUpgradePolicy", doc.Object(doc.Member{Name: "throughputPolicy",
			Value: doc.Object(doc.Member{Name: "incrementPercent", Value: doc.Number(float64(t.increment))})}))
	}
	return doc.Object(
		doc.Member{Name: "offerThroughput", Value: doc.Number(math.Ceil(autoscaleFloor * float64(t.maximum)))},
		doc.Member{Name: "offerIsRUPerMinuteThroughputEnabled", Value: doc.Bool(false)}, ever,
		doc.Member{Name: "offerAutopilotSettings", Value: settings},
	)
}

// check holds a throughput to the limits, and to the least that what it is for can have.
func (t Provisioned) check(least int) *Error {
	switch {
	case t.maximum > 0 && (t.maximum < max(minAutoscale, least) || t.maximum%autoStep != 0 || t.maximum > maxRate):
		return invalidInput("The autoscale maximum throughput must be a multiple of %d from %d to %d RU/s, not %d.", autoStep, max(minAutoscale, least), maxRate, t.maximum)
	case t.maximum == 0 && (t.manual < max(minManual, least) || t.manual%manualStep != 0 || t.manual > maxRate):
		return invalidInput("The offer should have valid throughput values between %d and %d inclusive in increments of %d, not %d.", max(minManual, least), maxRate, manualStep, t.manual)
	}
	return nil
}

// throughputOf reads the throughput of an offer's content, as a client sends it.
func throughputOf(content doc.Value) (Provisioned, *Error) {
	if settings := content.Field("offerAutopilotSettings"); settings.Kind() == doc.Map {
		return autoscaleOf(settings)
	}
	n, err := units(content.Field("offerThroughput"))
	return Provisioned{manual: n}, err
}

// autoscaleOf reads the settings of autoscale: {"maxThroughput":4000,"autoUpgradePolicy":{…}}.
func autoscaleOf(settings doc.Value) (Provisioned, *Error) {
	n, err := units(settings.Field("maxThroughput"))
	increment := settings.Field("autoUpgradePolicy").Field("throughputPolicy").Field("incrementPercent").Float()
	return Provisioned{maximum: n, increment: int(min(max(increment, 0), 100))}, err
}

func units(v doc.Value) (int, *Error) {
	n := v.Float()
	if v.Kind() != doc.Numeric || n != math.Trunc(n) || n < 1 || n > maxRate {
		return 0, invalidInput("The throughput must be a whole number of RU/s up to %d.", maxRate)
	}
	return int(n), nil
}
