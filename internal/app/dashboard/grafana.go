package dashboard

// The parts of Grafana's dashboard model (schema version 39, Grafana 10.4 and later) that are used here.

type dashboard struct {
	UID           string     `json:"uid"`
	Title         string     `json:"title"`
	Description   string     `json:"description"`
	Tags          []string   `json:"tags"`
	SchemaVersion int        `json:"schemaVersion"`
	Editable      bool       `json:"editable"`
	GraphTooltip  int        `json:"graphTooltip"` // 1: the crosshair is shared
	Refresh       string     `json:"refresh"`
	Time          span       `json:"time"`
	Templating    templating `json:"templating"`
	Panels        []panel    `json:"panels"`
}

type span struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type templating struct {
	List []variable `json:"list"`
}

type variable struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Label string `json:"label"`
	Query string `json:"query"`
}

type panel struct {
	ID          int          `json:"id"`
	Type        string       `json:"type"` // row or timeseries
	Title       string       `json:"title"`
	Description string       `json:"description,omitempty"`
	GridPos     position     `json:"gridPos"`
	Datasource  *datasource  `json:"datasource,omitempty"`
	Targets     []target     `json:"targets,omitempty"`
	FieldConfig *fieldConfig `json:"fieldConfig,omitempty"`
	Options     *options     `json:"options,omitempty"`
}

type position struct {
	H int `json:"h"`
	W int `json:"w"`
	X int `json:"x"`
	Y int `json:"y"`
}

type datasource struct {
	Type string `json:"type"`
	UID  string `json:"uid"`
}

type target struct {
	RefID        string     `json:"refId"`
	Datasource   datasource `json:"datasource"`
	Expr         string     `json:"expr"`
	LegendFormat string     `json:"legendFormat"`
}

type fieldConfig struct {
	Defaults  defaults `json:"defaults"`
	Overrides []any    `json:"overrides"`
}

type defaults struct {
	Unit   string `json:"unit"`
	Min    int    `json:"min"`
	Custom custom `json:"custom"`
}

type custom struct {
	DrawStyle   string `json:"drawStyle"`
	LineWidth   int    `json:"lineWidth"`
	FillOpacity int    `json:"fillOpacity"`
	ShowPoints  string `json:"showPoints"`
	SpanNulls   bool   `json:"spanNulls"`
}

type options struct {
	Legend  legend  `json:"legend"`
	Tooltip tooltip `json:"tooltip"`
}

type legend struct {
	DisplayMode string   `json:"displayMode"`
	Placement   string   `json:"placement"`
	ShowLegend  bool     `json:"showLegend"`
	Calcs       []string `json:"calcs"`
}

type tooltip struct {
	Mode string `json:"mode"`
	Sort string `json:"sort"`
}
