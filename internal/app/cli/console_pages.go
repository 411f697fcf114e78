package cli

import (
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/internal/app/extensions"
)

// consolePages is the pages of the console that only tabletop has. It implements emulatorcmd.Pages.
type consolePages struct {
	reports string
	stack   *upFlags               // of tabletop up, which simulates devices and phones; nil: another command
	parts   *extensions.Extensions // nil: not started
}

// Bind adds the flags of the pages.
func (p *consolePages) Bind(flags *pflag.FlagSet) {
	flags.StringVar(&p.reports, "reports", "reports",
		"Folder of the reports that the console shows, and writes when you start a load test there.")
}

// Extensions returns the parts of the console's API that the pages use.
func (p *consolePages) Extensions() (list []console.Extension, err error) {
	cfg := extensions.Config{Reports: p.reports}
	if p.stack != nil {
		cfg.Simulations, cfg.Fleet = consoleSimulations(p.stack), p.stack.hasFleet()
		cfg.Pushes = p.stack.backend.pushURL == ""
	}
	if p.parts, err = extensions.New(cfg); err != nil {
		return nil, err
	}
	return p.parts.List(), nil
}

// SetEmulator gives the running emulator to the pages.
func (p *consolePages) SetEmulator(e *emulator.Emulator, identities bool) {
	p.parts.SetEmulator(extensions.Emulator{DynamoDBURL: e.DynamoDBURL(), CosmosURL: e.CosmosURL(),
		CosmosKey: e.CosmosPrimaryKey(), Identities: identities})
}

// Close ends what the pages have started.
func (p *consolePages) Close() {
	if p.parts != nil {
		p.parts.Close()
	}
}
