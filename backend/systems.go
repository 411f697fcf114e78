package backend

import (
	"fmt"
	"net/http"

	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/backend/telemetry"
	"github.com/tabletop-db/tabletop/internal/tablefile"
)

// System is what the backend has of one system before it is mounted.
type System struct {
	Name   string                            // in paths and on the command line, such as telemetry
	Title  string                            // as people call it
	Says   string                            // what it does, in one sentence
	Schema func(prefix string) tables.Schema // its locked schema
	// Description is the same as tabletop tables create --file reads it, with the keys, recovery and alarms that belong
	// to the tables, without a prefix.
	Description func() []byte
	// Region is the only one that its tables may be in; empty for any.
	Region string

	mount func(*http.ServeMux, Config) error
}

// Systems are all systems, in the order of their names.
func Systems() []System {
	return []System{
		{
			Name: "telemetry", Title: "Sensor telemetry", Says: "Devices deliver readings; each is stored once, however often it is sent.",
			Schema: telemetry.Schema, Description: telemetry.Description, mount: mountTelemetry,
		},
	}
}

// Names are the names of all systems.
func Names() []string {
	var names []string
	for _, s := range Systems() {
		names = append(names, s.Name)
	}
	return names
}

// Schemas are the locked schemas of every system, with prefix before each table name.
func Schemas(prefix string) []tables.Schema {
	var all []tables.Schema
	for _, s := range Systems() {
		all = append(all, s.Schema(prefix))
	}
	return all
}

// File is the system's description with prefix before the names of tables and alarms.
func (s System) File(prefix string) (*tablefile.File, error) {
	file, err := tablefile.Parse(s.Name+"/tables.yaml", s.Description())
	if err != nil {
		return nil, fmt.Errorf("the description of %s: %w", s.Name, err)
	}
	return file.WithPrefix(prefix), nil
}

func mountTelemetry(mux *http.ServeMux, cfg Config) error {
	service, err := telemetry.New(telemetry.Config{
		Client: newClient(cfg), TablePrefix: cfg.TablePrefix, AdminToken: cfg.AdminToken, Pepper: cfg.Pepper,
		Retention: cfg.Retention, Now: cfg.Now, Logger: cfg.Logger, Wait: cfg.Wait,
	})
	if err != nil {
		return err
	}
	return service.Mount(mux)
}
