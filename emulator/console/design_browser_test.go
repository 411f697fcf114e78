//go:build browser

package console_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// singleTable creates a table that holds several entities, with an index that has only users.
func singleTable(t testing.TB, b *browser) *dynamodb.Client {
	t.Helper()
	client := dynamodb.NewFromConfig(b.emulator.AWSConfig())
	key := func(pk, sk string) []types.KeySchemaElement {
		return []types.KeySchemaElement{{AttributeName: &pk, KeyType: types.KeyTypeHash},
			{AttributeName: &sk, KeyType: types.KeyTypeRange}}
	}
	var definitions []types.AttributeDefinition
	for _, name := range []string{"pk", "sk", "gsi1pk", "gsi1sk"} {
		definitions = append(definitions, types.AttributeDefinition{AttributeName: aws.String(name),
			AttributeType: types.ScalarAttributeTypeS})
	}
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{TableName: aws.String("single"),
		BillingMode: types.BillingModePayPerRequest, KeySchema: key("pk", "sk"), AttributeDefinitions: definitions,
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("gsi1"),
			KeySchema:  key("gsi1pk", "gsi1sk"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}}}})
	b.must(err)
	for _, id := range []string{"ana", "ben"} {
		putItem(t, client, "single", item{"pk": text("USER#" + id), "sk": text("PROFILE"), "userId": text(id),
			"gsi1pk": text("MAIL#" + id + "@example.com"), "gsi1sk": text("USER"), "kind": text("user")})
		for n := range 3 {
			putItem(t, client, "single", item{"pk": text("USER#" + id), "sk": text("ORDER#" + strconv.Itoa(1000+n)),
				"total": number("12.5"), "kind": text("order")})
		}
	}
	return client
}

// TestDesignOfATable shows the entities of a table by an attribute and by the shape of the keys, those of its index,
// and an entity that another client adds.
func TestDesignOfATable(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := singleTable(t, b)
	b.visit("/dynamodb/tables/single/design")
	b.sees("8 items read", "2 entities", "0.5 capacity units", "These are all items",
		"order USER#<…> USER#ana ORDER#<number> ORDER#1000 6 kind, total",
		"user USER#<userId> USER#ana PROFILE PROFILE 2 gsi1pk, gsi1sk, kind, userId",
		"Index gsi1 2 of the items read", "MAIL#<…> MAIL#ana@example.com USER USER 2 pk, sk",
		"total Number 6 100% 12.5")
	b.fill("Group items by", "Pattern of the key values")
	b.sees("USER#<…> / ORDER#<…>", "USER#<…> / PROFILE")
	putItem(t, client, "single", item{"pk": text("<b>#1"), "sk": text("NOTE#<script>"), "note": text("new")})
	b.sees("9 items read", "3 entities", "<…>#<…> / NOTE#<…>", "NOTE#<script>")
	b.check("hostile keys")
}

// TestDesignReadsASample reads no more than the first thousand items until it is told to.
func TestDesignReadsASample(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := singleTable(t, b)
	for batch := range 48 { // 1,200 items
		var writes []types.WriteRequest
		for n := range 25 {
			id := strconv.Itoa(batch*25 + n)
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{
				Item: item{"pk": text("EVENT#" + id), "sk": text("EVENT"), "kind": text("event")}}})
		}
		_, err := client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{"single": writes}})
		b.must(err)
	}
	b.visit("/dynamodb/tables/single/design")
	b.sees("1,000 items read of about 1,208", "The others may differ")
	b.click("Read 1,000 more")
	b.sees("1,208 items read", "These are all items", "event EVENT#<number>")
}

// TestDesignOfAContainer shows the entities of a container with their partition keys.
func TestDesignOfAContainer(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	container := ordersContainer(t, b.emulator)
	upsert(t, container, "ana", `{"id":"1","customer":"ana","type":"order","lines":[{"sku":"tea"}]}`)
	upsert(t, container, "ana", `{"id":"2","customer":"ana","type":"order","total":12345678901234567890}`)
	upsert(t, container, "ben", `{"id":"ben","customer":"ben","type":"customer"}`)
	b.visit("/cosmos/shop/orders/design")
	b.sees("3 items read", "2 entities", "These are all items",
		"order <…> ana <number>", "customer <…> ben <…> ben 1 type",
		"lines Array 1 50%")
	upsert(t, container, "cy", `{"id":"9","customer":"cy","type":"invoice"}`)
	b.sees("4 items read", "invoice")
	for _, width := range []int64{1280, 390} {
		b.look(width, "dark")
		b.visit("/cosmos/shop/orders/design")
		b.sees("4 items read")
		b.check(fmt.Sprintf("design of a container, %d px", width))
	}
}

// TestIndexWithSeveralKeyAttributes creates an index with two attributes for each part of its key, and queries it.
func TestIndexWithSeveralKeyAttributes(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	client := ordersTable(t, b.emulator)
	b.visit("/dynamodb/tables/orders/schema")
	b.click("Global index")
	b.fill("Name of the global index", "by-place")
	b.fill("Partition key of the index", "country")
	b.click("Add an attribute to the partition key of the index")
	b.fill("Partition key of the index, attribute 2 (optional)", "city")
	b.fill("Sort key of the index (optional)", "street")
	b.click("Add an attribute to the sort key of the index")
	b.fill("Sort key of the index, attribute 2 (optional)", "number")
	b.check("several attributes")
	b.click("Create index")
	b.sees("by-place ACTIVE Global country + city, street + number")
	out, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	b.must(err)
	var keys []string
	for _, index := range out.Table.GlobalSecondaryIndexes {
		if *index.IndexName == "by-place" {
			for _, k := range index.KeySchema {
				keys = append(keys, fmt.Sprint(*k.AttributeName, " ", k.KeyType))
			}
		}
	}
	if got := strings.Join(keys, ", "); got != "country HASH, city HASH, street RANGE, number RANGE" {
		t.Errorf("the key is %s", got)
	}

	for n, city := range []string{"Lisbon", "Lisbon", "Porto"} {
		putItem(t, client, "orders", item{"customer": text("ana"), "number": number(strconv.Itoa(n)),
			"country": text("PT"), "city": text(city), "street": text("Rua")})
	}
	b.visit("/dynamodb/tables/orders")
	b.sees("3 items")
	b.click("Query")
	b.fill("Table or index", "by-place")
	b.fill("country (S) =", "PT")
	b.fill("city (S) =", "Lisbon")
	b.click("Run")
	b.sees("2 items")
	b.misses("Value of number")
	b.fill("street (S)", "=")
	b.fill("Value of street", "Rua")
	b.fill("number (N)", ">=")
	b.fill("Value of number", "1")
	b.click("Run")
	b.sees("1 item")
	b.misses("2 items")
}
