package admin

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// status is the response of info with its status.
type status struct {
	Status int
	Body   control.About
}

// Info is the topic of the emulator's description: a function that returns the current one.
type Info func() control.About

// Name implements Topic.
func (Info) Name() string { return "info" }

// Routes implements Topic.
func (f Info) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "info", Method: http.MethodGet, Path: "/info",
		Summary:     "Show the version, settings and status",
		Description: "Returns status 503 while writes are refused."},
		func(context.Context, *struct{}) (*status, error) {
			about := f()
			about.On = append([]string{}, about.On...)
			if about.Storage.RefusesWrites() {
				return &status{http.StatusServiceUnavailable, about}, nil
			}
			return &status{http.StatusOK, about}, nil
		})
}
