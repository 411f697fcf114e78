package backend

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/internal/tablefile"
)

// Store is the kind of database that a system lives on.
type Store string

// The databases. A system is on DynamoDB unless it says otherwise.
const (
	DynamoDB Store = ""
	CosmosDB Store = "cosmos"
)

// System is what the backend has of one system before it is mounted.
type System struct {
	Name   string // in paths and on the command line, such as telemetry
	Title  string // as people call it
	Says   string // what it does, in one sentence
	Store  Store
	Schema func(prefix string) tables.Schema // its locked schema; nil where it is not on DynamoDB, as Description is
	// Description is the same as tabletop tables create --file reads it, with the keys, recovery and alarms that belong
	// to the tables, without a prefix.
	Description func() []byte
	// Region is the only one that its tables may be in; empty for any.
	Region string

	// mount adds the routes, and returns what the system does beside answering them; nil: nothing.
	mount func(*http.ServeMux, Config) (*worker, error)
	// containers makes what a system on Cosmos DB needs, as Create does for one on DynamoDB.
	containers func(context.Context, Config) (notes []string, err error)
}

// Systems are all systems, in the order of their names.
func Systems() []System {
	return []System{deviceTokens(), kefirTracker(), notifications(), sensorTelemetry(), identityVerification()}
}

// Names are the names of all systems.
func Names() []string { return namesOf(Systems()) }

// TableNames are the names of those on DynamoDB.
func TableNames() []string { return namesOf(onDynamoDB(Systems())) }

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

// Choose are the systems of these names, in the order of their names; all when there are none. An unknown name is an
// error.
func Choose(names ...string) ([]System, error) { return choose(Systems(), names) }

// ChooseTables is Choose among the systems that are on DynamoDB.
func ChooseTables(names ...string) ([]System, error) { return choose(onDynamoDB(Systems()), names) }

func choose(all []System, names []string) ([]System, error) {
	if len(names) == 0 {
		return all, nil
	}
	known := namesOf(all)
	for _, name := range names {
		switch {
		case slices.Contains(known, name):
		case slices.Contains(Names(), name):
			return nil, fmt.Errorf("%s is on Cosmos DB and has no tables: tabletop backend --cosmos-endpoint makes its containers", name)
		default:
			return nil, fmt.Errorf("there is no system %q: give some of %s", name, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(all, func(s System) bool { return !slices.Contains(names, s.Name) }), nil
}

// File is the system's description with prefix before the names of tables and alarms.
func (s System) File(prefix string) (*tablefile.File, error) {
	file, err := tablefile.Parse(s.Name+"/tables.yaml", s.Description())
	if err != nil {
		return nil, fmt.Errorf("the description of %s: %w", s.Name, err)
	}
	return file.WithPrefix(prefix), nil
}

// In is cfg for the system's data. An endpoint of its own, such as the emulator's, is in whatever region its clients
// say; AWS in another region than the system's is an error.
func (s System) In(cfg aws.Config) (aws.Config, error) {
	if s.Region == "" || s.Region == cfg.Region {
		return cfg, nil
	}
	if aws.ToString(cfg.BaseEndpoint) == "" {
		return cfg, fmt.Errorf("the data of %s may be in %s only, not in %q: set AWS_REGION, or leave the system out with --systems",
			s.Name, s.Region, cfg.Region)
	}
	cfg = cfg.Copy()
	cfg.Region = s.Region
	return cfg, nil
}

// Create makes the system's tables with all that belongs to them (keys, TTL, recovery, alarms) and waits until they are
// ready. What is there already stays, and what differs from the description and cannot be changed in place is an error,
// and then nothing is changed. Notes are what the target cannot do, one line each.
func (s System) Create(ctx context.Context, cfg aws.Config, prefix string) (notes []string, err error) {
	cfg, err = s.In(cfg)
	if err != nil {
		return nil, err
	}
	file, err := s.File(prefix)
	if err != nil {
		return nil, err
	}
	notes, err = create(ctx, cfg, file)
	if err != nil {
		return notes, fmt.Errorf("%s: %w", s.Name, err)
	}
	return notes, nil
}

// createIn makes what the system needs in the databases of a configuration.
func (s System) createIn(ctx context.Context, cfg Config) ([]string, error) {
	if s.Store == CosmosDB {
		return s.containers(ctx, cfg)
	}
	return s.Create(ctx, cfg.AWS, cfg.TablePrefix)
}

func create(ctx context.Context, cfg aws.Config, file *tablefile.File) ([]string, error) {
	target, err := tablefile.NewTarget(ctx, cfg)
	if err != nil {
		return nil, err
	}
	plan, err := target.Compare(ctx, file, tablefile.Options{})
	if err != nil {
		return nil, err
	}
	if len(plan.Refused) > 0 {
		return nil, fmt.Errorf("there already, but not as documented: %s; choose another prefix or drop it", strings.Join(plan.Refused, "; "))
	}
	err = plan.Do(ctx, target, nil)
	return target.Notes, err
}
