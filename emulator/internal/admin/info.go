package admin

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// About is what an emulator says of itself.
type About struct {
	Version     string            `json:"version" example:"1.0.0"`
	Temperament string            `json:"temperament" doc:"strict, or the parts of the cloud's temperament that are on" example:"strict"`
	Seed        uint64            `json:"seed" doc:"What everything random comes from" example:"1"`
	Data        string            `json:"data" doc:"The folder that keeps the data; empty: it is in memory" example:""`
	Addresses   map[string]string `json:"addresses,omitempty" doc:"Endpoints by service" example:"{\"dynamodb\":\"http://127.0.0.1:8000\"}"`
	On          []string          `json:"on" nullable:"false" doc:"What is on beyond the tables: identities, recording, faults and so on"`
}

// Info is the topic of what the emulator is: a function that tells it as it is now.
type Info func() About

// Name implements Topic.
func (Info) Name() string { return "info" }

// Routes implements Topic.
func (f Info) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "info", Method: http.MethodGet, Path: "/info", Summary: "Show what runs",
		Description: "The version, the temperament, the seed, the addresses, and what is on."},
		func(context.Context, *struct{}) (*reply[About], error) {
			about := f()
			about.On = append([]string{}, about.On...)
			return &reply[About]{about}, nil
		})
}
