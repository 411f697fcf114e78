package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/backend/tables"
)

const (
	killTable = "kill"
	killIndex = "by_color"
	killSlots = 20 // keys of each writer and kind
)

func createKillTable(t *testing.T, db *dynamodb.Client) {
	t.Helper()
	key := func(partition, sort string) []types.KeySchemaElement {
		return []types.KeySchemaElement{{AttributeName: &partition, KeyType: types.KeyTypeHash}, {AttributeName: &sort, KeyType: types.KeyTypeRange}}
	}
	attribute := func(name string, kind types.ScalarAttributeType) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: kind}
	}
	err := tables.Create(t.Context(), db, []tables.Table{{Create: &dynamodb.CreateTableInput{
		TableName: aws.String(killTable), BillingMode: types.BillingModePayPerRequest, KeySchema: key("pk", "sk"),
		AttributeDefinitions: []types.AttributeDefinition{attribute("pk", "S"), attribute("sk", "N"), attribute("color", "S")},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String(killIndex), KeySchema: key("color", "pk"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
}

// history is what was asked of the database and what it acknowledged. The version of a key only grows.
type history struct {
	mu           sync.Mutex
	version      int
	tried, acked map[string]int // by partition and sort key
	acknowledged int            // writes
}

func newHistory() *history { return &history{tried: map[string]int{}, acked: map[string]int{}} }

// next begins a write of a writer: to one key, or to two in a transaction.
func (h *history) next(writer int) (version int, keys []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.version++
	slot := h.version % killSlots
	kinds := [][]string{{"put"}, {"update"}, {"left", "right"}}[h.version%3]
	for _, kind := range kinds {
		key := fmt.Sprintf("%s-%d/%d", kind, writer, slot)
		h.tried[key] = h.version
		keys = append(keys, key)
	}
	return h.version, keys
}

func (h *history) acknowledge(version int, keys []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.acknowledged++
	for _, key := range keys {
		h.acked[key] = version
	}
}

// write makes one write. It is not tried again: the history counts each try.
func (h *history) write(db *dynamodb.Client, writer int) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	version, keys := h.next(writer)
	once := func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 }
	var err error
	switch {
	case len(keys) == 2:
		_, err = db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: aws.String(killTable), Item: killItem(keys[0], version)}},
			{Put: &types.Put{TableName: aws.String(killTable), Item: killItem(keys[1], version)}},
		}}, once)
	case version%3 == 0:
		_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(killTable), Item: killItem(keys[0], version)}, once)
	default:
		item := killItem(keys[0], version)
		_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: aws.String(killTable), Key: map[string]types.AttributeValue{"pk": item["pk"], "sk": item["sk"]},
			UpdateExpression:          aws.String("SET version = :v, color = :c"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":v": item["version"], ":c": item["color"]},
		}, once)
	}
	if err == nil {
		h.acknowledge(version, keys)
	}
	return err
}

// killItem moves to another partition of the index with each version.
func killItem(key string, version int) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: key}, "sk": &types.AttributeValueMemberN{Value: "1"},
		"version": &types.AttributeValueMemberN{Value: strconv.Itoa(version)},
		"color":   &types.AttributeValueMemberS{Value: strconv.Itoa(version % 7)},
	}
}

// verify compares table and index with the history. What was tried and not acknowledged may be there or not; what is
// there must stay from then on.
func (h *history) verify(t *testing.T, db *dynamodb.Client) {
	t.Helper()
	found, colors := scan(t, db, nil)
	_, indexed := scan(t, db, aws.String(killIndex))
	if diff := cmp.Diff(colors, indexed); diff != "" {
		t.Errorf("the index differs from its table (-table +index):\n%s", diff)
	}
	for key, acked := range h.acked {
		if found[key] < acked || found[key] > h.tried[key] {
			t.Errorf("%s is at version %d; %d was acknowledged and %d tried", key, found[key], acked, h.tried[key])
		}
	}
	for key, version := range found {
		h.acked[key] = version
		for one, other := range map[string]string{"left": "right", "right": "left"} {
			if rest, ok := strings.CutPrefix(key, one); ok && found[other+rest] != version {
				t.Errorf("half a transaction: %s is at version %d, %s at %d", key, version, other+rest, found[other+rest])
			}
		}
	}
}

// scan reads the table, or one of its indexes: the version and the color of each key.
func scan(t *testing.T, db *dynamodb.Client, index *string) (versions map[string]int, colors map[string]string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	versions, colors = map[string]int{}, map[string]string{}
	pages := dynamodb.NewScanPaginator(db, &dynamodb.ScanInput{TableName: aws.String(killTable), IndexName: index})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			key := item["pk"].(*types.AttributeValueMemberS).Value
			version, err := strconv.Atoi(item["version"].(*types.AttributeValueMemberN).Value)
			if err != nil {
				t.Fatal(err)
			}
			versions[key], colors[key] = version, item["color"].(*types.AttributeValueMemberS).Value+fmt.Sprint(" at ", version)
		}
	}
	return versions, colors
}
