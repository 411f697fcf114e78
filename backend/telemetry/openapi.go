package telemetry

import (
	_ "embed"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

//go:embed docs/start.html
var docsIntro string

func (s *Service) newAPI(mux *http.ServeMux) *web.API {
	return web.New(mux, web.Config{
		System: "telemetry", Title: "Tabletop telemetry", Version: Version, Intro: docsIntro,
		Description: "Devices register and deliver readings; each reading is stored exactly once.",
		Tags:        []string{"devices", "readings", "api-keys", "operations"},
		Schemes: map[string]*huma.SecurityScheme{
			schemeAPIKey: {Type: "apiKey", In: "header", Name: headerAPIKey,
				Description: "64 hex characters, from POST /telemetry/api-keys"},
			web.AdminScheme: web.AdminSecurity(),
		},
		Logger: s.cfg.Logger, Observe: func() { s.stats.requests.Add(1) },
	})
}

// Schema returns the schema of a hardware_id.
func (HardwareID) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternHardwareID, "a MAC address in upper case", "AA:BB:CC:DD:EE:FF")
}

// Schema returns the schema of a UUID.
func (UUID) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternUUID, "a UUID of version 4", "7c9e6679-7425-40de-944b-e07fc1f90ae7")
}

// Schema returns the schema of a firmware version.
func (Firmware) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternFirmware, "1 to 64 printable ASCII characters", "1.0.16")
}

// Schema returns the schema of a timestamp.
func (Timestamp) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternTimestamp, "RFC 3339 in UTC, whole seconds", "2024-01-15T10:30:00Z")
}

// Schema returns the schema of values.
func (Values) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject, Description: "Values by sensor field, exactly as sent",
		AdditionalProperties: &huma.Schema{Type: huma.TypeNumber},
		Examples:             []any{map[string]float64{"bme280_temp_c": 22.5}},
	}
}

// Schema returns the schema of features. Huma does not check the names of members; register does.
func (Features) Schema(huma.Registry) *huma.Schema {
	most := maxFeatures
	return &huma.Schema{
		Type: huma.TypeObject, Description: "Other features, by name", MaxProperties: &most,
		AdditionalProperties: &huma.Schema{Type: huma.TypeBoolean},
		Examples:             []any{map[string]bool{"offline_buffering": true}},
		Extensions:           map[string]any{"propertyNames": map[string]any{"pattern": patternSensorName}},
	}
}

// Schema returns the schema of the name of a sensor or a feature.
func (SensorName) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternSensorName, "up to 64 lowercase letters, digits and '_'", "bme280")
}
