package admin

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/internal/model/heatmap"
)

// Heat is the topic of the load on tables: a function that returns the current load.
type Heat func() []heatmap.Table

// Name implements Topic.
func (Heat) Name() string { return "heat" }

// Routes implements Topic.
func (h Heat) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "heat", Method: http.MethodGet, Path: "/heat",
		Summary:     "Show the load by partition and minute",
		Description: "Lists every table and global secondary index, with the hottest partition keys of each minute of the last three hours."},
		func(_ context.Context, in *struct {
			Table string `query:"table" doc:"Show only this table and its indexes" example:"orders"`
		}) (*reply[[]heatmap.Table], error) {
			return &reply[[]heatmap.Table]{filterTables(h(), in.Table)}, nil
		})
}

// filterTables returns the tables of a name with their indexes, or all if it is empty.
func filterTables(all []heatmap.Table, table string) []heatmap.Table {
	if table == "" {
		return all
	}
	return slices.DeleteFunc(all, func(h heatmap.Table) bool { return !h.Of(table) })
}
