package verdict

import (
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// Price returns the cost of the consumed units, or nil if none were measured.
func Price(r *result.Report) (*result.Cost, error) {
	if len(r.Consumed) == 0 {
		return nil, nil
	}
	prices, err := cost.EmbeddedPrices()
	if err != nil {
		return nil, err
	}
	u := cost.Usage{From: r.Started, Span: time.Duration(r.Seconds * float64(time.Second))}
	for _, c := range r.Consumed {
		u.Lines = append(u.Lines,
			cost.Use{Table: c.Table, Kind: cost.ReadRequests, Quantity: cost.FromFloat(c.ReadUnits)},
			cost.Use{Table: c.Table, Kind: cost.WriteRequests, Quantity: cost.FromFloat(c.WriteUnits)})
	}
	run, err := prices.Bill(u, cost.Options{})
	if err != nil {
		return nil, err
	}
	month, err := prices.Bill(u, cost.Options{Monthly: true})
	if err != nil {
		return nil, err
	}
	stated, err := stated(r.Profile.ID)
	return &result.Cost{Region: run.Region, Prices: prices.Date, Run: run.Total, Month: month.Total, Stated: stated}, err
}

// stated returns the monthly cost that the document of a profile's system states, or "" if there is no such document.
func stated(profile string) (string, error) {
	documents, err := cost.Documents()
	if err != nil {
		return "", err
	}
	system, _, _ := strings.Cut(profile, "-")
	stated := ""
	for _, d := range documents {
		if !strings.HasPrefix(d.ID, system+"-") {
			continue
		}
		if d.Stated != nil {
			return d.Stated.Dollars() + " per month (" + d.ID + ")", nil
		}
		stated = "none"
	}
	return stated, nil
}
