package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

func openAPIConfig() huma.Config {
	config := huma.DefaultConfig("Tabletop telemetry", Version)
	config.Info.Description = "Devices register and deliver readings; each reading is stored once, however often it is sent."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", "" // docs.go serves its own
	config.CreateHooks = nil                                             // no $schema in answers
	config.RejectUnknownQueryParameters = true
	config.Transformers = []huma.Transformer{clipValues}
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		string(data):  {Type: "apiKey", In: "header", Name: headerAPIKey, Description: "64 hex characters, from POST /telemetry/api-keys"},
		string(admin): {Type: "http", Scheme: "bearer", Description: "The admin token that the service was started with"},
	}
	return config
}

// clipValues keeps a problem from echoing a whole body: the first 200 bytes show what was wrong.
func clipValues(_ huma.Context, _ string, v any) (any, error) {
	if problem, ok := v.(*huma.ErrorModel); ok {
		for _, detail := range problem.Errors {
			if text, ok := detail.Value.(string); ok && len(text) > 200 {
				detail.Value = text[:200] + "…"
			}
		}
	}
	return v, nil
}

// problem turns an error of the service into the problem details of RFC 9457. What is not the sender's is logged.
func (s *Service) problem(ctx context.Context, operation string, err error) error {
	var bad *badRequest
	switch {
	case errors.As(err, &bad):
		return huma.NewError(bad.status, "the request is not valid", &huma.ErrorDetail{Location: bad.location, Message: bad.message})
	case errors.Is(err, errNoDevice), errors.Is(err, errNoReading), errors.Is(err, errNoKey):
		return huma.Error404NotFound(err.Error())
	case errors.Is(err, errBadKey), errors.Is(err, errBadAdmin):
		return huma.Error401Unauthorized(err.Error())
	}
	if ctx.Err() == nil { // else the caller has left, which is no failure of ours
		s.cfg.Logger.Error("request failed", slog.String("operation", operation), slog.Any("error", err))
	}
	for _, passing := range []error{errBusy, errNoDatabase, errNoTables} {
		if errors.Is(err, passing) {
			return huma.ErrorWithHeaders(huma.Error503ServiceUnavailable(passing.Error()), http.Header{"Retry-After": {"1"}})
		}
	}
	return huma.Error500InternalServerError("the service failed; its log says why")
}

// refuse answers in place of a guarded route.
func (r routes) refuse(ctx huma.Context, err error) {
	problem := r.problem(ctx.Context(), ctx.Operation().OperationID, err)
	var headers huma.HeadersError
	if errors.As(problem, &headers) {
		for name, values := range headers.GetHeaders() {
			ctx.SetHeader(name, values[0])
		}
	}
	var status huma.StatusError
	errors.As(problem, &status)
	_ = huma.WriteErr(r.api, ctx, status.GetStatus(), status.Error()) // fails only when the caller has left
}

// Schema is the rule of a hardware_id.
func (HardwareID) Schema(huma.Registry) *huma.Schema {
	return textSchema(patternHardwareID, "a MAC address in upper case", "AA:BB:CC:DD:EE:FF")
}

// Schema is the rule of a UUID.
func (UUID) Schema(huma.Registry) *huma.Schema {
	return textSchema(patternUUID, "a UUID of version 4", "7c9e6679-7425-40de-944b-e07fc1f90ae7")
}

// Schema is the rule of a firmware version.
func (Firmware) Schema(huma.Registry) *huma.Schema {
	return textSchema(patternFirmware, "1 to 64 printable ASCII characters", "1.0.16")
}

// Schema is the rule of a timestamp.
func (Timestamp) Schema(huma.Registry) *huma.Schema {
	return textSchema(patternTimestamp, "RFC 3339 in UTC, whole seconds", "2024-01-15T10:30:00Z")
}

// Schema is the rule of the name of a sensor or a feature.
func (SensorName) Schema(huma.Registry) *huma.Schema {
	return textSchema(patternSensorName, "up to 64 small letters, digits and '_'", "bme280")
}

func textSchema(pattern, description, example string) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Pattern: pattern, PatternDescription: description, Description: description,
		Examples: []any{example},
	}
}
