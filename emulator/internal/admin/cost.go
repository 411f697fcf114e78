package admin

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/internal/model/cost"
)

// Cost is the topic of what the usage would cost.
type Cost struct{ control.UsageRecorder }

// Name implements Topic.
func (Cost) Name() string { return "cost" }

// costQuery selects how a bill is computed.
type costQuery struct {
	Region   string `query:"region" doc:"AWS region whose prices apply; default us-east-1" example:"eu-west-1"`
	Monthly  bool   `query:"monthly" doc:"Extrapolate the usage to a month"`
	Internet bool   `query:"internet" doc:"Clients are outside AWS: bill data transfer to them"`
	Gross    bool   `query:"gross" doc:"Ignore the free tier"`
}

func (q costQuery) options() cost.Options {
	return cost.Options{Region: q.Region, Monthly: q.Monthly, Internet: q.Internet, Gross: q.Gross}
}

// Routes implements Topic.
func (c Cost) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "show-cost", Method: http.MethodGet, Path: "/cost",
		Summary:     "Show the cost of the run on AWS",
		Description: "Uses the price file that is built into the emulator. The response lists the assumptions. Cosmos DB is not priced."},
		func(_ context.Context, in *costQuery) (*reply[*cost.Bill], error) {
			prices, err := cost.EmbeddedPrices()
			if err != nil {
				return nil, err
			}
			return c.bill(prices, in.options())
		})
	add(api, huma.Operation{OperationID: "price-cost", Method: http.MethodPost, Path: "/cost",
		Summary:     "Show the cost of the run for other prices",
		Description: "The body contains a price file; docs/cost.md describes its format."},
		func(_ context.Context, in *struct {
			costQuery
			Body struct {
				Prices string `json:"prices" doc:"A price file, in YAML" maxLength:"1000000"`
			}
		}) (*reply[*cost.Bill], error) {
			prices, err := cost.ReadPrices("prices", []byte(in.Body.Prices))
			if err != nil {
				return nil, refuse(http.StatusUnprocessableEntity, err)
			}
			return c.bill(prices, in.options())
		})
	add(api, huma.Operation{OperationID: "show-usage", Method: http.MethodGet, Path: "/cost/usage",
		Summary: "Show the usage of the run"},
		func(context.Context, *struct{}) (*reply[cost.Usage], error) {
			return &reply[cost.Usage]{c.Usage()}, nil
		})
	add(api, huma.Operation{OperationID: "begin-cost", Method: http.MethodPost, Path: "/cost/begin",
		Summary:     "Start a new run",
		Description: "Resets all usage to zero."},
		func(context.Context, *struct{}) (*struct{}, error) {
			c.Begin()
			return nil, nil
		})
}

func (c Cost) bill(prices *cost.Prices, o cost.Options) (*reply[*cost.Bill], error) {
	bill, err := prices.Bill(c.Usage(), o)
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, err)
	}
	return &reply[*cost.Bill]{bill}, nil
}
