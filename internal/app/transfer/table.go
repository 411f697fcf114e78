package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// ErrNoTable is the error of a table that does not exist.
var ErrNoTable = errors.New("the table does not exist")

// Describe returns a table. Errors: ErrNoTable.
func Describe(ctx context.Context, db *dynamodb.Client, table string) (*types.TableDescription, error) {
	out, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	if missing := (*types.ResourceNotFoundException)(nil); errors.As(err, &missing) {
		return nil, ErrNoTable
	}
	if err != nil {
		return nil, fmt.Errorf("table %q: %w", table, plainError(err))
	}
	return out.Table, nil
}

// Key returns the names of the key's attributes of a table, the partition key first.
func Key(d *types.TableDescription) (names []string) {
	for _, k := range d.KeySchema {
		names = append(names, aws.ToString(k.AttributeName))
	}
	return names
}

// KeyTypes returns the types of the attributes of a table's keys, also of its indexes.
func KeyTypes(d *types.TableDescription) map[string]datafile.Type {
	all := map[string]datafile.Type{}
	for _, a := range d.AttributeDefinitions {
		all[aws.ToString(a.AttributeName)] = datafile.Type(a.AttributeType)
	}
	return all
}

// WholeSchemaOf returns what creates the same table. Errors: it has no key.
func WholeSchemaOf(d *types.TableDescription) (*datafile.Schema, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	return datafile.ParseDescription(text)
}

// SchemaOf returns the key of a table as a schema.
func SchemaOf(d *types.TableDescription) *datafile.Schema {
	s := &datafile.Schema{TableName: aws.ToString(d.TableName)}
	for name, of := range KeyTypes(d) {
		s.AttributeDefinitions = append(s.AttributeDefinitions,
			datafile.AttributeDefinition{AttributeName: name, AttributeType: of})
	}
	for _, k := range d.KeySchema {
		s.KeySchema = append(s.KeySchema,
			datafile.KeyElement{AttributeName: *k.AttributeName, KeyType: string(k.KeyType)})
	}
	return s
}

// activeTimeout is how long a new table may take to become active.
const activeTimeout = 5 * time.Minute

// Create creates a table if it does not exist, and waits until it is active. It reports whether it created it. Errors:
// a table of that name with another key.
func Create(ctx context.Context, db *dynamodb.Client, s *datafile.Schema) (created bool, err error) {
	existing, err := Describe(ctx, db, s.TableName)
	switch {
	case err == nil && !slices.Equal(Key(existing), s.Key()):
		return false, fmt.Errorf("table %q exists with another key (%v, not %v): delete it, or use another table",
			s.TableName, Key(existing), s.Key())
	case err == nil:
		return false, awaitActive(ctx, db, s.TableName)
	case !errors.Is(err, ErrNoTable):
		return false, err
	}
	var in dynamodb.CreateTableInput
	text, err := json.Marshal(s)
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(text, &in); err != nil { // both have the members of CreateTable
		return false, err
	}
	if _, err := db.CreateTable(ctx, &in); err != nil {
		return false, fmt.Errorf("table %q was not created: %w", s.TableName, plainError(err))
	}
	return true, awaitActive(ctx, db, s.TableName)
}

func awaitActive(ctx context.Context, db *dynamodb.Client, table string) error {
	waiter := dynamodb.NewTableExistsWaiter(db, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 20*time.Millisecond, 5*time.Second
	})
	return waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &table}, activeTimeout)
}
