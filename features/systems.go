package features

import (
	"io/fs"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/service"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/telemetry"
)

// system is one system's specs: its feature files and the steps that they use beside the general ones.
type system struct {
	Name  string
	Files fs.FS
	Steps func(*godog.ScenarioContext, *steps.World)
}

func systems() []system {
	return []system{
		{Name: "service", Files: service.Files, Steps: service.Steps},
		{Name: "telemetry", Files: telemetry.Files, Steps: telemetry.Steps},
	}
}
