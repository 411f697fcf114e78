package backend

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/internal/model/tablefile"
)

// Store is the kind of database that a system uses.
type Store string

// The databases. The default is DynamoDB.
const (
	DynamoDB Store = ""
	CosmosDB Store = "cosmos"
)

// System describes a system before it is mounted.
type System struct {
	Name    string // in paths and on the command line, such as telemetry
	Title   string // for people
	Summary string // what it does, in one sentence
	Store   Store
	Schema  func(prefix string) tables.Schema // the locked schema; nil if it is not on DynamoDB, like Description
	// Description returns the schema as a description for tabletop tables create --file, with the keys, recovery and
	// alarms that belong to the tables, without a prefix.
	Description func() []byte
	// Invariants returns what the system's rules say about its database at any moment, as a file of tabletop invariants,
	// without a prefix.
	Invariants func() []byte
	// Region is the only region in which its tables may be; empty for any.
	Region string

	// mount adds the routes and returns the system's worker; nil if it has none.
	mount func(*http.ServeMux, Config) (*worker, error)
	// createContainers creates what a system on Cosmos DB needs, as Create does for a system on DynamoDB.
	createContainers func(context.Context, Config) (notes []string, err error)
}

// Systems returns all systems, ordered by name.
func Systems() []System {
	return []System{deviceTokens(), kefirTracker(), notifications(), sensorTelemetry(), identityVerification()}
}

// Names returns the names of all systems.
func Names() []string { return namesOf(Systems()) }

// DynamoDBNames returns the names of the systems on DynamoDB.
func DynamoDBNames() []string { return namesOf(onDynamoDB(Systems())) }

func namesOf(systems []System) []string {
	names := make([]string, len(systems))
	for i, s := range systems {
		names[i] = s.Name
	}
	return names
}

func onDynamoDB(systems []System) []System {
	return slices.DeleteFunc(systems, func(s System) bool { return s.Store != DynamoDB })
}

// Choose returns the systems with these names, ordered by name; all systems without names. Errors: an unknown name.
func Choose(names ...string) ([]System, error) { return choose(Systems(), names) }

// ChooseDynamoDB is Choose among the systems on DynamoDB.
func ChooseDynamoDB(names ...string) ([]System, error) { return choose(onDynamoDB(Systems()), names) }

func choose(all []System, names []string) ([]System, error) {
	if len(names) == 0 {
		return all, nil
	}
	known := namesOf(all)
	for _, name := range names {
		switch {
		case slices.Contains(known, name):
		case slices.Contains(Names(), name):
			return nil, fmt.Errorf(
				"%s uses Cosmos DB and has no tables: tabletop backend --cosmos-endpoint creates its containers", name)
		default:
			return nil, fmt.Errorf("unknown system %q: use one or more of %s", name, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(all, func(s System) bool { return !slices.Contains(names, s.Name) }), nil
}

// TableFile returns the system's description, with prefix added to the names of tables and alarms.
func (s System) TableFile(prefix string) (*tablefile.File, error) {
	file, err := tablefile.Parse(s.Name+"/tables.yaml", s.Description())
	if err != nil {
		return nil, fmt.Errorf("the description of %s: %w", s.Name, err)
	}
	return file.WithPrefix(prefix), nil
}

// RegionalConfig returns cfg for the system's data. If cfg has its own endpoint, such as the emulator's, RegionalConfig
// sets the region: there a region is what clients say. Errors: AWS in another region than the system's.
func (s System) RegionalConfig(cfg aws.Config) (aws.Config, error) {
	if s.Region == "" || s.Region == cfg.Region {
		return cfg, nil
	}
	if aws.ToString(cfg.BaseEndpoint) == "" {
		return cfg, fmt.Errorf("the data of %s must stay in %s, not %q: set AWS_REGION, or exclude the system with --systems",
			s.Name, s.Region, cfg.Region)
	}
	cfg = cfg.Copy()
	cfg.Region = s.Region
	return cfg, nil
}

// Create creates the system's tables with all that belongs to them (keys, TTL, recovery, alarms) and waits until they
// are ready. Existing tables stay. Errors: an existing table differs from the description and cannot be changed in
// place; then nothing is changed. notes are the features that the target does not support, one line each.
func (s System) Create(ctx context.Context, cfg aws.Config, prefix string) (notes []string, err error) {
	cfg, err = s.RegionalConfig(cfg)
	if err != nil {
		return nil, err
	}
	file, err := s.TableFile(prefix)
	if err != nil {
		return nil, err
	}
	notes, err = create(ctx, cfg, file)
	if err != nil {
		return notes, fmt.Errorf("%s: %w", s.Name, err)
	}
	return notes, nil
}

// createIn creates what the system needs in the databases of a configuration.
func (s System) createIn(ctx context.Context, cfg Config) ([]string, error) {
	if s.Store == CosmosDB {
		return s.createContainers(ctx, cfg)
	}
	return s.Create(ctx, cfg.AWS, cfg.TablePrefix)
}

func create(ctx context.Context, cfg aws.Config, file *tablefile.File) ([]string, error) {
	target, err := tablefile.NewTarget(ctx, cfg)
	if err != nil {
		return nil, err
	}
	plan, err := target.Compare(ctx, file, tablefile.Options{KeepPolicies: true})
	if err != nil {
		return nil, err
	}
	if len(plan.Refused) > 0 {
		return nil, fmt.Errorf("already exists, but differs from the schema: %s; choose another prefix or drop it",
			strings.Join(plan.Refused, "; "))
	}
	err = plan.Do(ctx, target, nil)
	return target.Notes, err
}
