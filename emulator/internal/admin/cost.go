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
	Region   string `query:"region" doc:"Whose prices" example:"eu-west-1"`
	Monthly  bool   `query:"monthly" doc:"What a month costs at the rate of the run"`
	Internet bool   `query:"internet" doc:"Clients are outside AWS, so that what they are sent is paid for"`
	Gross    bool   `query:"gross" doc:"Without what is free every month"`
}

func (q costQuery) options() cost.Options {
	return cost.Options{Region: q.Region, Monthly: q.Monthly, Internet: q.Internet, Gross: q.Gross}
}

// Routes implements Topic.
func (c Cost) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "show-cost", Method: http.MethodGet, Path: "/cost", Summary: "Show what the run would cost on AWS",
		Description: "By the prices that come with the emulator; what the figures rest on is in the answer. Cosmos DB is not priced."},
		func(_ context.Context, in *costQuery) (*reply[*cost.Bill], error) {
			prices, err := cost.Own()
			if err != nil {
				return nil, err
			}
			return c.bill(prices, in.options())
		})
	add(api, huma.Operation{OperationID: "price-cost", Method: http.MethodPost, Path: "/cost", Summary: "Show what the run would cost by other prices",
		Description: "The body is a price file; docs/cost.md says what is in one."},
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
	add(api, huma.Operation{OperationID: "show-usage", Method: http.MethodGet, Path: "/cost/usage", Summary: "Show what was used"},
		func(context.Context, *struct{}) (*reply[cost.Usage], error) {
			return &reply[cost.Usage]{c.Usage()}, nil
		})
	add(api, huma.Operation{OperationID: "begin-cost", Method: http.MethodPost, Path: "/cost/begin", Summary: "Begin a run",
		Description: "Nothing was used from now on back."},
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
