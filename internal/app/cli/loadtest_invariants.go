package cli

import (
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/emulator/invariants"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/loadtest"
)

// readInvariants reads the file of --invariants, if there is one.
func (f *loadFlags) readInvariants() error {
	if f.invariantsFile == "" {
		return nil
	}
	if f.backendURL != "" {
		return command.Usagef("--invariants requires a database: use --target instead of --backend")
	}
	if f.record != "" {
		return command.Usagef("--record would record the checks of --invariants: run the load profile once with each")
	}
	set, err := invariants.Read(f.invariantsFile)
	if err != nil {
		return command.Usagef("%v", err)
	}
	f.invariants = set
	return nil
}

// checkInvariants checks the invariants of the profile's system and of --invariants, after the backend was stopped. It
// returns nil if it checks nothing: of a running backend, the database is unknown, a recording would contain the
// checks, and the first shard checks for all. cosmos may be nil.
func (b *testbed) checkInvariants(cfg *loadtest.Config, cosmos *azcosmos.Client) (*loadtest.CheckedInvariants, error) {
	if cfg.Database == nil || b.flags.record != "" || cfg.Profile.OnDatabase() && b.flags.invariants == nil ||
		cfg.Group != nil && !cfg.Group.Shard.Leads() {
		return nil, nil
	}
	var checked int
	var broken []invariants.Break
	var err error
	if ctx, own := b.cmd.Context(), b.flags.invariants; cfg.Profile.OnDatabase() {
		checked = len(own.Invariants)
		broken, err = own.Check(ctx, invariants.Databases{DynamoDB: dynamodb.NewFromConfig(cfg.Database.AWS),
			Cosmos: cosmos, Prefix: cfg.Database.Prefix})
	} else {
		checked, broken, err = backend.CheckInvariants(ctx, cfg.Profile.System, backend.Config{AWS: cfg.Database.AWS,
			Cosmos: cosmos, TablePrefix: cfg.Database.Prefix}, own)
	}
	if err != nil {
		return nil, fmt.Errorf("checking invariants: %w", err)
	}
	return &loadtest.CheckedInvariants{Checked: checked, Broken: broken}, nil
}
