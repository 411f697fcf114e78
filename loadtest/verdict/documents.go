package verdict

import (
	"fmt"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// DocumentCosts prices a month of the profile for each document that a limit refers to. This needs the units of every
// request in the month, and the sizes of the tables.
func DocumentCosts(r *result.Report, scale float64) ([]result.DocumentCost, error) {
	all, err := cost.Documents()
	if err != nil {
		return nil, err
	}
	var list []result.DocumentCost
	for _, d := range all {
		decided := func(l profile.Limit) bool { return l.ID == d.ID && metrics()[l.Metric].isCost }
		if d.Stated == nil || !slices.ContainsFunc(r.Profile.Limits, decided) {
			continue
		}
		used, measured := monthlyUsage(r, scale)
		if !measured {
			continue
		}
		one, err := compareCost(d, used)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// monthlyUsage returns the usage of a month with the number of requests that the parts of the profile state.
func monthlyUsage(r *result.Report, scale float64) (map[cost.Kind]cost.Amount, bool) {
	var reads, writes float64
	for _, p := range r.Profile.Mix {
		i := slices.IndexFunc(r.Kinds, func(k result.KindStats) bool { return k.Request == p.Request })
		if p.Monthly == 0 {
			continue
		}
		if i < 0 || r.Kinds[i].Metered == 0 {
			return nil, false
		}
		k := r.Kinds[i]
		perMonth := float64(p.Monthly) / float64(k.Metered)
		reads, writes = reads+perMonth*k.ReadUnits, writes+perMonth*k.WriteUnits
	}
	bytes, measured := storedMetric(func(s result.Stored) float64 { return float64(s.Bytes) })(r)
	if !measured {
		return nil, false
	}
	gb := cost.FromFloat(bytes / scale).Div(cost.FromFloat(1 << 30))
	return map[cost.Kind]cost.Amount{cost.ReadRequests: cost.FromFloat(reads), cost.WriteRequests: cost.FromFloat(writes),
		cost.Storage: gb, cost.Recovery: gb}, true
}

// compareCost compares the usage with a document, for the resources that the document has prices for.
func compareCost(d cost.Document, used map[cost.Kind]cost.Amount) (result.DocumentCost, error) {
	one := result.DocumentCost{ID: d.ID, Says: d.Says, Stated: d.Stated, Computed: d.Computed(), Remark: d.Remark}
	measured := cost.Document{Prices: d.Prices, Monthly: map[cost.Kind]cost.Amount{}}
	for _, kind := range cost.Kinds() {
		if d.Prices[kind] != nil {
			measured.Monthly[kind] = used[kind]
			one.Lines = append(one.Lines, result.MonthLine{What: kind.Name(), Document: d.Monthly[kind], Measured: used[kind],
				Unit: kind.Unit()})
		}
	}
	prices, err := cost.EmbeddedPrices()
	if err != nil {
		return one, err
	}
	bill, err := prices.Bill(cost.Usage{From: time.Time{}, Span: cost.Month, Lines: measured.Usage().Lines},
		cost.Options{Gross: true})
	if err != nil {
		return one, err
	}
	one.Measured, one.Today = measured.Computed(), bill.Total
	difference := one.Measured.Sub(*d.Stated)
	if difference.Sign() < 0 {
		difference = d.Stated.Sub(one.Measured)
	}
	one.Agrees = difference.Mul(cost.Fraction(10, 1)).Cmp(*d.Stated) <= 0
	return one, nil
}

// monthlyCost returns the measured monthly cost for the document of a catalogue entry.
func monthlyCost(r *result.Report, id string) (float64, bool) {
	i := slices.IndexFunc(r.Documents, func(d result.DocumentCost) bool { return d.ID == id })
	if i < 0 {
		return 0, false
	}
	return r.Documents[i].Measured.Float(), true
}

// monthlyCostRemark lists the documented cost, the recalculated one and the measured ones.
func monthlyCostRemark(r *result.Report, id string) string {
	i := slices.IndexFunc(r.Documents, func(d result.DocumentCost) bool { return d.ID == id })
	if i < 0 {
		return ""
	}
	d := r.Documents[i]
	text := fmt.Sprintf("documented %s, recalculated %s, measured %s, at current prices %s",
		d.Stated.Dollars(), d.Computed.Dollars(), d.Measured.Dollars(), d.Today.Dollars())
	if !d.Agrees {
		text += "; more than 10% off the documented cost"
	}
	return text
}
