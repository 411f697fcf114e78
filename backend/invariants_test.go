package backend_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
	"github.com/tabletop-db/tabletop/emulator/invariants"
)

// invariantCases are a file of testdata/invariants: a state in which a system's invariants hold, and for each invariant
// the writes that break it and no other. In items, a null is an attribute that is left out.
type invariantCases struct {
	Items  map[string]yaml.Node `yaml:"items"` // anchors of what follows
	Valid  []write              `yaml:"valid"`
	Breaks map[string][]write   `yaml:"breaks"`
}

// write is an item by the name of its table or container.
type write map[string]map[string]any

// TestEachInvariantOfASystemCanBreak breaks one invariant after another, each in databases of its own.
func TestEachInvariantOfASystemCanBreak(t *testing.T) {
	t.Parallel()
	for _, s := range backend.Systems() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			set, err := s.ParsedInvariants()
			if err != nil {
				t.Fatal(err)
			}
			cases := readInvariantCases(t, s.Name)
			if got := brokenBy(t, s, cases.Valid); len(got) > 0 {
				t.Fatalf("the valid state breaks\n%s", invariants.Text(got))
			}
			for _, v := range set.Invariants {
				t.Run(v.Name, func(t *testing.T) {
					t.Parallel()
					writes, ok := cases.Breaks[v.Name]
					if !ok {
						t.Fatal("no write of the test breaks it")
					}
					got := brokenBy(t, s, append(slices.Clone(cases.Valid), writes...))
					if len(got) != 1 || got[0].Name != v.Name {
						t.Errorf("broken:\n%s", invariants.Text(got))
					}
				})
			}
			if len(cases.Breaks) != len(set.Invariants) {
				t.Errorf("%d cases for %d invariants", len(cases.Breaks), len(set.Invariants))
			}
		})
	}
}

func readInvariantCases(t *testing.T, system string) (cases invariantCases) {
	t.Helper()
	text, err := os.ReadFile("testdata/invariants/" + system + ".yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &cases)
	}
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// brokenBy returns what is broken after writes to an empty database of a system.
func brokenBy(t *testing.T, s backend.System, writes []write) []invariants.Break {
	t.Helper()
	e := emulator.Run(t)
	account, err := cosmosclient.New(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := backend.Config{AWS: e.AWSConfig(), Cosmos: account, TablePrefix: "t-"}
	if cfg.AWS, err = s.RegionalConfig(cfg.AWS); err != nil {
		t.Fatal(err)
	}
	if s.Store == backend.CosmosDB {
		_, err = notification.Create(t.Context(), account, "t-"+notification.Database, notification.Throughput{})
	} else {
		_, err = s.Create(t.Context(), cfg.AWS, cfg.TablePrefix)
	}
	for _, w := range writes {
		for name, item := range w {
			if err == nil {
				err = put(t, s, cfg, name, item)
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	checked, breaks, err := backend.CheckInvariants(t.Context(), s.Name, cfg, nil)
	if err != nil || checked == 0 {
		t.Fatalf("%d checked: %v", checked, err)
	}
	return breaks
}

// put writes an item to a table, or a document to a container.
func put(t *testing.T, s backend.System, cfg backend.Config, name string, item map[string]any) error {
	t.Helper()
	if s.Store == backend.CosmosDB {
		container, err := cfg.Cosmos.NewContainer("t-"+notification.Database, name)
		if err != nil {
			return err
		}
		document, err := json.Marshal(item)
		if err != nil {
			return err
		}
		user, _ := item["userId"].(string)
		_, err = container.UpsertItem(t.Context(), azcosmos.NewPartitionKeyString(user), document, nil)
		return err
	}
	for attribute, value := range item {
		if value == nil {
			delete(item, attribute)
		}
	}
	values, err := attributevalue.MarshalMap(item)
	if err != nil {
		return err
	}
	_, err = dynamodb.NewFromConfig(cfg.AWS).PutItem(t.Context(),
		&dynamodb.PutItemInput{TableName: aws.String(cfg.TablePrefix + name), Item: values})
	return err
}
