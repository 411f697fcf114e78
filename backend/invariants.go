package backend

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator/invariants"
)

// CheckInvariants checks the invariants of a system's rules, and more of the caller, which may be nil, in the databases
// of a configuration: AWS, Cosmos and TablePrefix. Let writers end first. checked is their number. Errors: an unknown
// system; those of invariants.Set.Check.
func CheckInvariants(ctx context.Context, system string, cfg Config, more *invariants.Set) (checked int,
	breaks []invariants.Break, err error) {
	systems, err := Choose(system)
	if err != nil {
		return 0, nil, err
	}
	own, err := systems[0].ParsedInvariants()
	if err != nil {
		return 0, nil, err
	}
	if cfg.AWS, err = systems[0].RegionalConfig(cfg.AWS); err != nil {
		return 0, nil, err
	}
	all := invariants.Join(own, more)
	breaks, err = all.Check(ctx, invariants.Databases{DynamoDB: dynamodb.NewFromConfig(cfg.AWS), Cosmos: cfg.Cosmos,
		Prefix: cfg.TablePrefix})
	return len(all.Invariants), breaks, err
}

// ParsedInvariants returns the invariants of the system's rules.
func (s System) ParsedInvariants() (*invariants.Set, error) {
	set, err := invariants.Parse(s.Name+"/invariants.yaml", s.Invariants())
	if err != nil {
		return nil, fmt.Errorf("the invariants of %s: %w", s.Name, err)
	}
	return set, nil
}
