package metamorphic

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// The DynamoDB table has eight partition keys of four items, a local and a global secondary index, a stream, TTL and
// point-in-time recovery.
const (
	dynamoKeys  = 8
	dynamoItems = 4

	createTable = `{"TableName":"things","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"state","AttributeType":"S"},{"AttributeName":"amount","AttributeType":"N"}],
		"LocalSecondaryIndexes":[{"IndexName":"by-amount","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"amount","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],
		"GlobalSecondaryIndexes":[{"IndexName":"by-state","KeySchema":[{"AttributeName":"state","KeyType":"HASH"},{"AttributeName":"amount","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],
		"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}%s}`
)

func (r *runner) makeTable() string {
	encryption := ""
	if r.config.encrypted {
		r.key = r.amazon("CreateKey", `{}`).text("KeyMetadata", "Arn")
		encryption = `,"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"` + r.key + `"}`
	}
	if made := r.amazon("CreateTable", fmt.Sprintf(createTable, encryption)); made.status != 200 {
		r.problem("creating the table: %s", made.normal())
	}
	return r.amazon("UpdateTimeToLive",
		`{"TableName":"things","TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}}`).normal() +
		r.amazon("UpdateContinuousBackups",
			`{"TableName":"things","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`).normal()
}

// dynamoGenerator generates DynamoDB operations.
type dynamoGenerator struct {
	*rand.Rand
	passed *time.Duration // the time that the operations so far have moved the clock, at least
}

func (g dynamoGenerator) pick() (pk string, sk int) {
	return string(rune('a' + g.IntN(dynamoKeys))), g.IntN(dynamoItems)
}

func keyJSON(pk string, sk int) string {
	return fmt.Sprintf(`{"pk":{"S":"%s"},"sk":{"N":"%d"}}`, pk, sk)
}

func itemName(pk string, sk int) string { return fmt.Sprintf("d/%s/%d", pk, sk) }

// item returns a random item of a key. One in eight expires later, within two hours: an item that has expired already
// is removed when the emulator next looks for expired items, at a start or an advance of the clock.
func (g dynamoGenerator) item(pk string, sk int) string {
	more := ""
	if g.IntN(4) > 0 {
		more += fmt.Sprintf(`,"state":{"S":"%s"}`, []string{"open", "paid", "sent"}[g.IntN(3)])
	}
	if g.IntN(8) == 0 {
		more += fmt.Sprintf(`,"until":{"N":"%d"}`, start.Add(*g.passed).Unix()+60+int64(g.IntN(7200)))
	}
	return fmt.Sprintf(`{"pk":{"S":"%s"},"sk":{"N":"%d"},"amount":{"N":"%d"},"note":{"S":"%s"}%s}`, pk, sk, g.IntN(50),
		strings.Repeat("x", g.IntN(40)), more)
}

// write returns an operation on one item.
func (g dynamoGenerator) write() operation {
	pk, sk := g.pick()
	condition := ""
	switch g.IntN(5) {
	case 0:
		condition = `,"ConditionExpression":"attribute_not_exists(pk)"`
	case 1:
		condition = `,"ConditionExpression":"amount < :limit"`
	}
	values := `":limit":{"N":"25"}`
	if !strings.Contains(condition, ":limit") {
		values = ""
	}
	capacity := `,"ReturnConsumedCapacity":"INDEXES"`
	switch g.IntN(5) {
	case 2:
		return single("ExecuteStatement", pk, sk, `{"Statement":"`+g.writeStatement(pk, sk)+`"`+capacity+`}`)
	case 0:
		return single("DeleteItem", pk, sk, `{"TableName":"things","ReturnValues":"ALL_OLD","Key":`+keyJSON(pk, sk)+condition+
			valuesJSON(values)+capacity+`}`)
	case 1:
		update := []string{"SET amount = :t, #s = :s ADD n :one",
			"REMOVE #s SET amount = if_not_exists(amount, :t), note = :s ADD n :one"}[g.IntN(2)]
		all := fmt.Sprintf(`":t":{"N":"%d"},":s":{"S":"open"},":one":{"N":"1"}`, g.IntN(50))
		if values != "" {
			all += "," + values
		}
		return single("UpdateItem", pk, sk, `{"TableName":"things","ReturnValues":"ALL_NEW","Key":`+keyJSON(pk, sk)+
			`,"UpdateExpression":"`+update+
			`","ExpressionAttributeNames":{"#s":"state"}`+condition+valuesJSON(all)+capacity+`}`)
	}
	return single("PutItem", pk, sk, `{"TableName":"things","ReturnValues":"ALL_OLD","Item":`+g.item(pk, sk)+condition+
		valuesJSON(values)+capacity+`}`)
}

// writeStatement returns a PartiQL statement that writes one item.
func (g dynamoGenerator) writeStatement(pk string, sk int) string {
	where := fmt.Sprintf("WHERE pk = '%s' AND sk = %d", pk, sk)
	return []string{
		fmt.Sprintf("INSERT INTO things VALUE {'pk': '%s', 'sk': %d, 'amount': %d, 'state': 'open'}", pk, sk, g.IntN(50)),
		fmt.Sprintf("UPDATE things SET amount = amount + 1 SET note = 'n' REMOVE state %s AND amount < %d RETURNING ALL OLD *",
			where, g.IntN(50)),
		fmt.Sprintf("DELETE FROM things %s AND note IS MISSING RETURNING ALL OLD *", where),
	}[g.IntN(3)]
}

func valuesJSON(values string) string {
	if values == "" {
		return ""
	}
	return `,"ExpressionAttributeValues":{` + values + `}`
}

func single(name, pk string, sk int, body string) operation {
	return operation{name: name + " " + body, group: "d/" + pk, writes: []string{itemName(pk, sk)},
		run: func(r *runner) string {
			return r.amazon(name, body).normal()
		}}
}

// read returns an operation that reads one item, or those of a partition key.
func (g dynamoGenerator) read() operation {
	pk, sk := g.pick()
	consistent := g.IntN(2) == 0
	if g.IntN(2) == 0 {
		body := fmt.Sprintf(`{"TableName":"things","Key":%s,"ConsistentRead":%t}`, keyJSON(pk, sk), consistent)
		return operation{name: "GetItem " + body, group: "d/" + pk, eventual: !consistent, run: func(r *runner) string {
			answer := r.amazon("GetItem", body)
			if !consistent && r.config.lags {
				r.shownItem(itemName(pk, sk), answer.field("Item"))
			}
			return answer.normal()
		}}
	}
	index := ""
	if g.IntN(2) == 0 {
		index = `,"IndexName":"by-amount","Select":"ALL_ATTRIBUTES"`
	}
	body := fmt.Sprintf(`{"TableName":"things","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"%s"}},"ConsistentRead":%t,"ScanIndexForward":%t,"Limit":%d%s`,
		pk, consistent, g.IntN(2) == 0, 1+g.IntN(4), index)
	return paged("Query", "d/"+pk, !consistent, body)
}

// readMany returns an operation that reads from many partition keys.
func (g dynamoGenerator) readMany() operation {
	consistent := g.IntN(2) == 0
	switch g.IntN(5) {
	case 3:
		a, _ := g.pick()
		b, sk := g.pick()
		return readStatement(fmt.Sprintf("SELECT * FROM things WHERE pk IN ['%s', '%s'] AND (sk >= %d OR amount < 20)", a, b, sk))
	case 0:
		return paged("Query", "", true,
			fmt.Sprintf(`{"TableName":"things","IndexName":"by-state","KeyConditionExpression":"#s = :s","ExpressionAttributeNames":{"#s":"state"},`+
				`"ExpressionAttributeValues":{":s":{"S":"open"}},"Limit":%d`, 1+g.IntN(6)))
	case 1:
		return paged("Scan", "", true, fmt.Sprintf(`{"TableName":"things","IndexName":"by-state","Limit":%d`, 1+g.IntN(20)))
	case 2:
		return paged("Scan", "", !consistent,
			fmt.Sprintf(`{"TableName":"things","ConsistentRead":%t,"Limit":%d,"FilterExpression":"amount > :t","ExpressionAttributeValues":{":t":{"N":"10"}}`,
				consistent, 1+g.IntN(20)))
	}
	var keys, names []string
	for range 4 {
		pk, sk := g.pick()
		if name := itemName(pk, sk); !slices.Contains(names, name) {
			keys, names = append(keys, keyJSON(pk, sk)), append(names, name)
		}
	}
	if consistent {
		var gets []string
		for _, key := range keys {
			gets = append(gets, `{"Get":{"TableName":"things","Key":`+key+`}}`)
		}
		body := `{"TransactItems":[` + strings.Join(gets, ",") + `]}`
		return operation{name: "TransactGetItems " + body, run: func(r *runner) string {
			return r.amazon("TransactGetItems", body).normal()
		}}
	}
	body := `{"RequestItems":{"things":{"ConsistentRead":true,"Keys":[` + strings.Join(keys, ",") + `]}}}`
	return operation{name: "BatchGetItem " + body, run: func(r *runner) string {
		return r.amazon("BatchGetItem", body).normal()
	}}
}

// readStatement returns an operation that reads the first page of a PartiQL SELECT.
func readStatement(statement string) operation {
	body := `{"Statement":"` + statement + `","ConsistentRead":true,"ReturnConsumedCapacity":"TOTAL"}`
	return operation{name: "ExecuteStatement " + body, run: func(r *runner) string {
		return r.amazon("ExecuteStatement", body).normal()
	}}
}

// paged returns an operation that reads all pages. If replicas lag, it checks that each item is in an earlier state,
// and once per page.
func paged(name, lane string, eventual bool, body string) operation {
	return operation{name: name + " " + body + "}", group: lane, eventual: eventual, run: func(r *runner) string {
		var out []string
		from := ""
		for range 200 {
			page := r.amazon(name, body+from+"}")
			out = append(out, page.normal())
			if eventual && r.config.lags {
				r.shownItems(page.list("Items"))
			}
			last := page.field("LastEvaluatedKey")
			if last == nil {
				break
			}
			from = `,"ExclusiveStartKey":` + compact(last)
		}
		return strings.Join(out, "\n")
	}}
}

func (r *runner) shownItem(name string, shown any) {
	if shown == nil {
		r.wasThere(name, absent)
		return
	}
	r.wasThere(name, compact(shown))
}

func (r *runner) shownItems(items []any) {
	seen := map[string]bool{}
	for _, one := range items {
		name := nameOf(one)
		if seen[name] {
			r.problem("item %s is twice on a page", name)
		}
		seen[name] = true
		r.shownItem(name, one)
	}
}

// nameOf returns the name of an item in DynamoDB's format.
func nameOf(it any) string {
	var key struct {
		PK struct{ S string }
		SK struct{ N string }
	}
	if err := json.Unmarshal([]byte(compact(it)), &key); err != nil {
		return err.Error()
	}
	return "d/" + key.PK.S + "/" + key.SK.N
}

// readDynamo returns the current state of an item.
func (r *runner) readDynamo(name string) string {
	parts := strings.Split(name, "/")
	answer := r.amazon("GetItem", `{"TableName":"things","ConsistentRead":true,"Key":{"pk":{"S":"`+parts[1]+
		`"},"sk":{"N":"`+parts[2]+`"}}}`)
	if it := answer.field("Item"); it != nil {
		return compact(it)
	}
	return absent
}

// writeMany returns a batch or a transaction.
func (g dynamoGenerator) writeMany() operation {
	var members, names []string
	transacted := g.IntN(2) == 0
	for range 2 + g.IntN(3) {
		pk, sk := g.pick()
		if slices.Contains(names, itemName(pk, sk)) {
			continue
		}
		names = append(names, itemName(pk, sk))
		members = append(members, g.member(transacted, pk, sk))
	}
	name, body := "BatchWriteItem", `{"RequestItems":{"things":[`+strings.Join(members, ",")+
		`]},"ReturnConsumedCapacity":"TOTAL"}`
	if transacted {
		name, body = "TransactWriteItems",
			fmt.Sprintf(`{"TransactItems":[%s],"ClientRequestToken":"token-%d","ReturnConsumedCapacity":"TOTAL"}`,
				strings.Join(members, ","), g.IntN(1e9))
	}
	again := g.IntN(4) == 0 && transacted
	return operation{name: name + " " + body, writes: names, run: func(r *runner) string {
		answer := r.amazon(name, body).normal()
		if again { // the token makes it idempotent
			answer += r.amazon(name, body).normal()
		}
		return answer
	}}
}

func (g dynamoGenerator) member(transacted bool, pk string, sk int) string {
	if !transacted {
		if g.IntN(3) == 0 {
			return `{"DeleteRequest":{"Key":` + keyJSON(pk, sk) + `}}`
		}
		return `{"PutRequest":{"Item":` + g.item(pk, sk) + `}}`
	}
	switch g.IntN(5) {
	case 0:
		return `{"Delete":{"TableName":"things","Key":` + keyJSON(pk, sk) + `}}`
	case 1:
		return `{"Update":{"TableName":"things","Key":` + keyJSON(pk, sk) +
			`,"UpdateExpression":"ADD n :one","ExpressionAttributeValues":{":one":{"N":"1"}}}}`
	case 2:
		return `{"ConditionCheck":{"TableName":"things","Key":` + keyJSON(pk, sk) +
			`,"ConditionExpression":"attribute_not_exists(pk) OR amount < :t","ExpressionAttributeValues":{":t":{"N":"40"}}}}`
	}
	return `{"Put":{"TableName":"things","Item":` + g.item(pk, sk) + `}}`
}

// manage returns an operation on the whole table.
func (g dynamoGenerator) manage() operation {
	switch g.IntN(5) {
	case 0:
		return operation{name: "create an index", run: func(r *runner) string {
			return r.amazon(
				"UpdateTable", `{"TableName":"things","AttributeDefinitions":[{"AttributeName":"note","AttributeType":"S"},{"AttributeName":"state","AttributeType":"S"},`+
					`{"AttributeName":"amount","AttributeType":"N"},{"AttributeName":"pk","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-note",`+
					`"KeySchema":[{"AttributeName":"note","KeyType":"HASH"},{"AttributeName":"state","KeyType":"HASH"},{"AttributeName":"amount","KeyType":"RANGE"},`+
					`{"AttributeName":"pk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}}]}`).normal()
		}}
	case 1:
		return operation{name: "delete the index", run: func(r *runner) string {
			return r.amazon("UpdateTable",
				`{"TableName":"things","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-note"}}]}`).normal()
		}}
	case 2:
		return operation{name: "DescribeTable", run: func(r *runner) string {
			return r.amazon("DescribeTable", `{"TableName":"things"}`).normal()
		}}
	case 3:
		n := g.IntN(1e9)
		return operation{name: "back up, write, restore", run: func(r *runner) string { return r.backUp(fmt.Sprint("b", n)) }}
	}
	*g.passed += 6*time.Minute + 2*time.Second
	return operation{name: "restore to a point in time", run: (*runner).recover}
}

// pass returns an operation that moves the clock.
func (g dynamoGenerator) pass() operation {
	d := []time.Duration{time.Second, 30 * time.Second, 10 * time.Minute, 40 * time.Minute}[g.IntN(4)]
	*g.passed += d
	return operation{name: fmt.Sprint("advance ", d), run: func(r *runner) string {
		streamed := r.drain()
		r.advance(d)
		return streamed
	}}
}
