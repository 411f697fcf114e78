package features

import (
	"github.com/tabletop-db/tabletop/features/devicetoken"
	"github.com/tabletop-db/tabletop/features/kefir"
	"github.com/tabletop-db/tabletop/features/notification"
	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/features/service"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/features/telemetry"
	"github.com/tabletop-db/tabletop/features/verification"
)

// suites returns the test suites of the systems.
func suites() []runner.Suite {
	return []runner.Suite{
		{Name: "devicetoken", Files: devicetoken.Files, Steps: devicetoken.Steps},
		{Name: "kefir", Files: kefir.Files, Steps: kefir.Steps},
		{Name: "notification", Files: notification.Files, Steps: notification.Steps, On: targets.CosmosDB},
		{Name: "service", Files: service.Files, Steps: service.Steps},
		{Name: "telemetry", Files: telemetry.Files, Steps: telemetry.Steps},
		{Name: "verification", Files: verification.Files, Steps: verification.Steps},
	}
}
