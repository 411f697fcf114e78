package steps

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/model/tablefile"
)

func (w *World) emulatorSteps() Group {
	return Group{Title: "The emulator",
		Intro: "A scenario that starts an emulator has its own, and needs the tag @needs:commands. A new emulator replaces the previous one and its data.",
		Steps: []Step{
			{`^an emulator$`, func() error {
				return w.Restart()
			}, `an emulator`, "Starts an empty emulator with strict defaults."},
			{`^an emulator with all cloud behaviours$`, func() error {
				return w.Restart(emulator.WithLikeCloud())
			}, `an emulator with all cloud behaviours`,
				"Starts one that throttles, lags, conflicts and changes tables slowly, as the service does."},
			{`^an emulator with the cloud behaviours? ([a-z, ]+)$`, w.startLikeCloud,
				`an emulator with the cloud behaviours throttling, lag`,
				"Starts one with only these: throttling, lag, conflicts, states."},
		}}
}

func (w *World) startLikeCloud(pieces string) error {
	var all []emulator.Piece
	for name := range strings.SplitSeq(pieces, ",") {
		all = append(all, emulator.Piece(strings.TrimSpace(name)))
	}
	return w.Restart(emulator.WithLikeCloud(all...))
}

func (w *World) creationSteps() Group {
	return Group{Title: "Making tables",
		Intro: "Each scenario has its own tables, which are deleted at its end. Keys in these steps are strings; use a description for anything else.",
		Steps: []Step{
			{`^a table "([^"]*)" with the key "([^"]*)"$`, func(ctx context.Context, table, key string) error {
				return w.Create(ctx, TableOf(*w.Table(table), key, ""))
			}, `a table "orders" with the key "id"`, "On demand, without a sort key."},
			{`^a table "([^"]*)" with the key "([^"]*)" and the sort key "([^"]*)"$`,
				func(ctx context.Context, table, key, sort string) error {
					return w.Create(ctx, TableOf(*w.Table(table), key, sort))
				}, `a table "orders" with the key "customer" and the sort key "number"`, "On demand, with a sort key."},
			{`^a table "([^"]*)" with the key "([^"]*)" and the index "([^"]*)" (?:on|by) "([^"]*)"$`, w.createIndexed,
				`a table "orders" with the key "id" and the index "by-state" on "state"`,
				"On demand, with a global secondary index that projects all attributes."},
			{`^a table "([^"]*)" with the key "([^"]*)" and a capacity of (\d+) reads? and (\d+) writes? a second$`,
				w.createProvisioned, `a table "orders" with the key "id" and a capacity of 5 reads and 1 write a second`,
				"Provisioned."},
			{`^the tables:$`, func(ctx context.Context, text *godog.DocString) error {
				return w.describedTables(ctx, "the tables", text.Content)
			}, `the tables:`, "Creates the tables of the description below, as `tabletop tables create` does: keys, indexes, time to live, streams, recovery, alarms."},
			{`^the tables of the file "([^"]*)"$`, w.tablesOfFile, `the tables of the file "tables.yaml"`,
				"The same with a file in the folder of the features."},
		}}
}

// Create creates a table and waits until it is active, except on an emulator, where it is active at once or when the
// emulator's clock says so.
func (w *World) Create(ctx context.Context, in *dynamodb.CreateTableInput) error {
	if _, err := w.Once.CreateTable(ctx, in); err != nil || w.Target.Emulator != nil {
		return err
	}
	return dynamodb.NewTableExistsWaiter(w.Client).Wait(ctx, &dynamodb.DescribeTableInput{TableName: in.TableName},
		5*time.Minute)
}

// TableOf returns the definition of an on-demand table whose key attributes are strings. sort is empty for no sort key.
func TableOf(name, key, sort string) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{TableName: &name, BillingMode: types.BillingModePayPerRequest}
	add := func(attribute string, kind types.KeyType) {
		in.AttributeDefinitions = append(in.AttributeDefinitions,
			types.AttributeDefinition{AttributeName: aws.String(attribute), AttributeType: types.ScalarAttributeTypeS})
		in.KeySchema = append(in.KeySchema, types.KeySchemaElement{AttributeName: aws.String(attribute), KeyType: kind})
	}
	add(key, types.KeyTypeHash)
	if sort != "" {
		add(sort, types.KeyTypeRange)
	}
	return in
}

func (w *World) createIndexed(ctx context.Context, table, key, index, attribute string) error {
	in := TableOf(*w.Table(table), key, "")
	in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: &attribute,
		AttributeType: types.ScalarAttributeTypeS})
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{
		IndexName: &index, Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		KeySchema: []types.KeySchemaElement{{AttributeName: &attribute, KeyType: types.KeyTypeHash}},
	}}
	return w.Create(ctx, in)
}

func (w *World) createProvisioned(ctx context.Context, table, key string, reads, writes int64) error {
	in := TableOf(*w.Table(table), key, "")
	in.BillingMode = types.BillingModeProvisioned
	in.ProvisionedThroughput = &types.ProvisionedThroughput{ReadCapacityUnits: &reads, WriteCapacityUnits: &writes}
	return w.Create(ctx, in)
}

func (w *World) tablesOfFile(ctx context.Context, name string) error {
	text, err := w.file(name)
	if err != nil {
		return err
	}
	return w.describedTables(ctx, name, string(text))
}

// file reads a file of the suite.
func (w *World) file(name string) ([]byte, error) {
	if w.Files == nil {
		return nil, errors.New("this suite has no files")
	}
	text, err := fs.ReadFile(w.Files, name)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: is it embedded with the features? %w", err)
	}
	return text, nil
}

// describedTables creates the tables of a description. name is used in errors.
func (w *World) describedTables(ctx context.Context, name, text string) error {
	file, err := tablefile.Parse(name, []byte(text))
	if err != nil {
		return err
	}
	target, err := tablefile.NewTarget(ctx, w.Target.Config)
	if err != nil {
		return err
	}
	plan, err := target.Compare(ctx, file.WithPrefix(w.Prefix), tablefile.Options{})
	if err != nil {
		return err
	}
	return plan.Do(ctx, target, nil)
}
