package workload

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tabletop-db/tabletop/tools/performance/wire"
)

// DynamoDB's tables. Each has a partition key pk and a sort key sk, both strings.
const (
	itemsTable   = "performance_items"   // 100 partitions of 100 items
	updatedTable = "performance_updated" // 1,000 items that are updated
	indexedTable = "performance_indexed" // 5,000 items; an index with 50 partitions of 100
	addedTable   = "performance_added"   // gets new items
	sortPrefix   = "2026-01-01T00:00:00Z#"
	indexName    = "by-group"
)

// ItemSize is the size of DynamoDBItem by DynamoDB's rules, in bytes.
const ItemSize = 400

var padding = strings.Repeat("k3v9x0q7", 40)[:263]

// DynamoDBItem returns the attributes of an item of 400 bytes, with a map and a list, in JSON without its braces.
func DynamoDBItem(pk, sk, bucket string) string {
	return `"pk":{"S":"` + pk + `"},"sk":{"S":"` + sk + `"},"bkt":{"S":"` + bucket + `"},"dev":{"S":"esp32-c3"},` +
		`"temp":{"N":"21.375"},"hum":{"N":"48.25"},"cnt":{"N":"1"},"ok":{"BOOL":true},` +
		`"meta":{"M":{"fw":{"S":"2.14.3"},"bat":{"N":"3.71"}}},"tags":{"L":[{"S":"roof"},{"S":"north"}]},` +
		`"pad":{"S":"` + padding + `"}`
}

// DynamoDBRequest returns a request in wire format. Its signature has the right form, and is not valid: a client that
// signs would take more time than the server, and servers for development accept it.
func DynamoDBRequest(host, operation, body string) []byte {
	return fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-amz-json-1.0\r\n"+
		"X-Amz-Date: 20260101T000000Z\r\nX-Amz-Target: DynamoDB_20120810.%s\r\n"+
		"Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, "+
		"SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=%064d\r\n"+
		"Content-Length: %d\r\n\r\n%s", host, operation, 7, len(body), body)
}

// DynamoDB returns DynamoDB's workloads.
func DynamoDB() *Service {
	return &Service{
		Name:      "DynamoDB",
		Workloads: append(dynamoDBPoints(), append(dynamoDBReads(), dynamoDBMixes()...)...),
		ready:     func(host string) []byte { return DynamoDBRequest(host, "ListTables", "{}") },
		setUp:     (*Client).setUpTables,
		reset:     func(c *Client) error { return c.makeTable(addedTable, false) },
	}
}

// operation is a request: the operation's name and its body.
type operation struct{ name, body string }

// of completes a workload of DynamoDB with its requests.
func (w Workload) of(operations ...operation) *Workload {
	w.Status = 200
	w.requests = func(host string) (all [][]byte) {
		for _, o := range operations {
			all = append(all, DynamoDBRequest(host, o.name, o.body))
		}
		return all
	}
	if w.limits == nil {
		w.limits = map[byte]uint32{'A': 100, 'B': 100}
	}
	if w.check == nil {
		w.check = accept
	}
	return &w
}

func newItem(pk string) string {
	return `{` + DynamoDBItem(pk+wire.Slot(wire.Unused), sortPrefix+digits(0), wire.Slot('B')) + `}`
}

func putItem() operation { return putItemInto(addedTable) }

func putItemInto(table string) operation {
	return operation{"PutItem", fmt.Sprintf(`{"TableName":%q,"Item":%s}`, table, newItem("d#"))}
}

func getItem(consistent bool) operation {
	return operation{"GetItem", fmt.Sprintf(`{"TableName":%q,"Key":{"pk":{"S":"p#%s"},"sk":{"S":"%s"}},"ConsistentRead":%v}`,
		itemsTable, wire.Slot('A'), sortPrefix+wire.Slot('B'), consistent)}
}

// dynamoDBPoints returns the workloads that read or write few items, by their keys.
func dynamoDBPoints() []*Workload {
	update := `{"TableName":"` + updatedTable + `","Key":{"pk":{"S":"u#` + wire.Slot('A') + `"},"sk":{"S":"s"}},` +
		`"ConditionExpression":"attribute_exists(pk) AND #c < :max","UpdateExpression":"SET #c = #c + :one",` +
		`"ExpressionAttributeNames":{"#c":"cnt"},` +
		`"ExpressionAttributeValues":{":one":{"N":"1"},":max":{"N":"1000000000"}},"ReturnValues":"ALL_NEW"}`
	transact := `{"TransactItems":[{"Put":{"TableName":"` + addedTable + `","Item":{"pk":{"S":"idem#` +
		wire.Slot(wire.Unused) + `"},"sk":{"S":"m"}},"ConditionExpression":"attribute_not_exists(pk)"}},` +
		`{"Put":{"TableName":"` + addedTable + `","Item":` + newItem("t#") + `}}]}`
	puts := strings.TrimSuffix(strings.Repeat(`{"PutRequest":{"Item":`+newItem("b#")+`}},`, 25), ",")
	batch := `{"RequestItems":{"` + addedTable + `":[` + puts + `]}}`
	return []*Workload{
		Workload{Name: "put", Durable: true, Batch: 1500}.of(putItem()),
		Workload{Name: "get", Durable: true, Batch: 1500, MinLength: ItemSize, check: hasItem}.of(getItem(false)),
		Workload{Name: "get-consistent", Batch: 1500, MinLength: ItemSize, check: hasItem}.of(getItem(true)),
		Workload{Name: "update-cond", Durable: true, Batch: 1200, MinLength: ItemSize, limits: map[byte]uint32{'A': 1000},
			check: hasAttributes}.of(operation{"UpdateItem", update}),
		Workload{Name: "transact2", Durable: true, Batch: 1200}.of(operation{"TransactWriteItems", transact}),
		Workload{Name: "batch25", Durable: true, Batch: 240}.of(operation{"BatchWriteItem", batch}),
	}
}

// newest20 is a query for the last 20 items of a partition. key is the name of the partition key.
func newest20(table, index, key, partition string) operation {
	if index != "" {
		index = `"IndexName":"` + index + `",`
	}
	return operation{"Query", fmt.Sprintf(`{"TableName":%q,%s"KeyConditionExpression":"%s = :p",`+
		`"ExpressionAttributeValues":{":p":{"S":"%s"}},"ScanIndexForward":false,"Limit":20}`, table, index, key, partition)}
}

// dynamoDBReads returns the workloads that read many items.
func dynamoDBReads() []*Workload {
	scan := `{"TableName":"` + itemsTable + `","FilterExpression":"bkt = :b",` +
		`"ExpressionAttributeValues":{":b":{"S":"` + wire.Slot('B') + `"}}}`
	return []*Workload{
		Workload{Name: "query20", Batch: 800, MinLength: 20 * ItemSize, check: newestFirst}.of(
			newest20(itemsTable, "", "pk", "p#"+wire.Slot('A'))),
		Workload{Name: "gsi-query20", Batch: 800, MinLength: 20 * ItemSize, check: newestFirst,
			limits: map[byte]uint32{'A': 50}}.of(newest20(indexedTable, indexName, "gpk", "g#"+wire.Slot('A'))),
		Workload{Name: "scan1MB-filter", Batch: 80, Connections: 4, MinLength: 10 * ItemSize, check: isPage}.of(
			operation{"Scan", scan}),
	}
}

// dynamoDBMixes returns the workloads at a fixed rate.
func dynamoDBMixes() []*Workload {
	return []*Workload{
		Workload{Name: "mixed@500", Rate: 500, Durable: true}.of(putItem(), getItem(false)),
		Workload{Name: "mixed@2000", Rate: 2000}.of(putItem(), getItem(false)),
	}
}

// answer is what checks read of a response.
type answer struct {
	Item, Attributes, LastEvaluatedKey map[string]any
	Items                              []map[string]map[string]any
	Count, ScannedCount                int
}

func decode(body []byte) (a answer, err error) {
	err = json.Unmarshal(body, &a)
	return a, err
}

func hasItem(body []byte) error {
	a, err := decode(body)
	if err == nil && a.Item["pad"] == nil {
		err = fmt.Errorf("no item: %.160s", body)
	}
	return err
}

func hasAttributes(body []byte) error {
	a, err := decode(body)
	if err == nil && a.Attributes["pad"] == nil {
		err = fmt.Errorf("not all attributes: %.160s", body)
	}
	return err
}

func newestFirst(body []byte) error {
	a, err := decode(body)
	if err != nil {
		return err
	}
	if a.Count != 20 || len(a.Items) != 20 {
		return fmt.Errorf("%d items, not 20", len(a.Items))
	}
	for i := 1; i < len(a.Items); i++ {
		if fmt.Sprint(a.Items[i]["sk"]["S"]) >= fmt.Sprint(a.Items[i-1]["sk"]["S"]) {
			return errors.New("not the newest first")
		}
	}
	return nil
}

// isPage checks a page of 1 MB, of whose items one in a hundred passes the filter.
func isPage(body []byte) error {
	a, err := decode(body)
	if err != nil {
		return err
	}
	if a.Count <= 10 || a.Count >= 60 || a.ScannedCount <= 2000 || a.ScannedCount >= 4000 || a.LastEvaluatedKey == nil {
		return fmt.Errorf("not a page of 1 MB: %d of %d items", a.Count, a.ScannedCount)
	}
	return nil
}
