package backend

import (
	"net/http"

	"github.com/tabletop-db/tabletop/backend/telemetry"
)

func sensorTelemetry() System {
	return System{
		Name: "telemetry", Title: "Sensor telemetry",
		Summary: "Devices deliver readings, and each reading is stored exactly once.",
		Schema:  telemetry.Schema, Description: telemetry.Description, Invariants: telemetry.Invariants, mount: mountTelemetry,
	}
}

func mountTelemetry(mux *http.ServeMux, cfg Config) (*worker, error) {
	service, err := telemetry.New(telemetry.Config{
		Client: newClient(cfg), TablePrefix: cfg.TablePrefix, AdminToken: cfg.AdminToken, Pepper: cfg.Pepper,
		Retention: cfg.Retention, Now: cfg.Now, Logger: cfg.Logger, Wait: cfg.Wait,
	})
	if err != nil {
		return nil, err
	}
	return nil, service.Mount(mux)
}
