package dashboard

import (
	"io"

	"github.com/tabletop-db/tabletop/internal/util/indented"
)

const (
	columns = 24 // of Grafana's grid
	width   = 12
	height  = 8
)

// prometheus is the data source that the reader selects.
var prometheus = datasource{Type: "prometheus", UID: "${datasource}"}

// Write writes the dashboard as JSON that Grafana imports or provisions.
func Write(w io.Writer) error { return indented.WriteJSON(w, build()) }

func build() dashboard {
	return dashboard{
		UID: "tabletop", Title: "Tabletop", Tags: []string{"tabletop", "dynamodb", "cosmosdb"},
		Description:   "Requests to the backends, their operations on DynamoDB and Cosmos DB, and the throughput that tables and containers consume.",
		SchemaVersion: 39, Editable: true, GraphTooltip: 1, Refresh: "10s", Time: span{From: "now-30m", To: "now"},
		Templating: templating{List: []variable{{Type: "datasource", Name: "datasource", Label: "Data source",
			Query: "prometheus"}}},
		Panels: panels(),
	}
}

// panels arranges the rows, two graphs side by side.
func panels() []panel {
	var all []panel
	y := 0
	for _, r := range rows() {
		all = append(all, panel{ID: len(all) + 1, Type: "row", Title: r.title, GridPos: position{H: 1, W: columns, Y: y}})
		y++
		for i, g := range r.graphs {
			at := position{H: height, W: width, X: width * (i % 2), Y: y + height*(i/2)}
			all = append(all, g.panel(len(all)+1, at))
		}
		y += height * ((len(r.graphs) + 1) / 2)
	}
	return all
}

func (g graph) panel(id int, at position) panel {
	p := panel{
		ID: id, Type: "timeseries", Title: g.title, Description: g.description, GridPos: at, Datasource: &prometheus,
		FieldConfig: &fieldConfig{
			Defaults: defaults{Unit: g.unit, Custom: custom{DrawStyle: "line", LineWidth: 1, FillOpacity: 10,
				ShowPoints: "never"}},
			Overrides: []any{},
		},
		Options: &options{
			Legend:  legend{DisplayMode: "table", Placement: "right", ShowLegend: true, Calcs: []string{"lastNotNull", "max"}},
			Tooltip: tooltip{Mode: "multi", Sort: "desc"},
		},
	}
	for i, q := range g.queries {
		p.Targets = append(p.Targets, target{RefID: string(rune('A' + i)), Datasource: prometheus, Expr: q.expr,
			LegendFormat: q.legend})
	}
	return p
}
