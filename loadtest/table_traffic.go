package loadtest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// tableSystem is a table of its own, attacked without a backend, and its requests.
func tableSystem() system {
	return system{
		kinds: map[string]kind{
			"put":       {writes: true, sized: true},
			"get":       {},
			"batch-put": {carries: maxPuts, writes: true, sized: true},
			"batch-get": {carries: maxGets},
		},
		population: map[string]count{
			"items": {least: 1, most: 10_000_000},
			"bytes": {least: keyBytes + 1, most: maxItemBytes}, // of each item
		},
		turns: "items", onDatabase: true, check: checkTable,
		open: func(c Config) (subject, error) { return newTable(c), nil },
	}
}

// maxPuts and maxGets are how many items the database takes in one batch.
const (
	maxPuts = 25
	maxGets = 100
)

// operation is what makes the body of a kind of request.
type operation struct {
	name   string
	append func(t *table, dst []byte, number int, p Part, items int) []byte
}

var operations = map[string]operation{
	"put":       {"PutItem", appendPut},
	"get":       {"GetItem", appendGet},
	"batch-put": {"BatchWriteItem", appendBatchPut},
	"batch-get": {"BatchGetItem", appendBatchGet},
}

// table makes signed requests on a table, in an order that follows from the seed. Reads are consistent, of the items
// that are there before; writes are of other items, each a new one.
type table struct {
	plain
	*chance
	config  Config
	client  *dynamodb.Client
	base    string
	name    string
	items   int
	bytes   int
	pad     string
	signer  *v4.Signer
	answers *tableLink
	there   bool // it was made
	written int
}

// maxItemBytes is the size of the largest item.
const maxItemBytes = 400 << 10

func newTable(c Config) *table {
	p := c.Profile.Population
	return &table{chance: newChance(c.Seed), config: c, client: dynamodb.NewFromConfig(c.Database.AWS),
		name:  c.Database.Prefix + "load-" + strings.ToLower(c.Profile.ID),
		items: p["items"], bytes: p["bytes"], pad: strings.Repeat("k3v9x0q7", maxItemBytes/8), signer: v4.NewSigner(),
		base: cmp.Or(aws.ToString(c.Database.AWS.BaseEndpoint), "https://dynamodb."+c.Database.AWS.Region+".amazonaws.com")}
}

// keyBytes is what the key and the names of the attributes add to the padding of an item.
const keyBytes = len("id") + len("r00000000") + len("pad")

func readKey(i int) string  { return fmt.Sprintf("r%08d", i) }
func writeKey(i int) string { return fmt.Sprintf("w%08d", i) }

// next makes the next request, signed.
func (t *table) next(ctx context.Context, number int, p Part) (request, error) {
	of := operations[p.Request]
	body := append(of.append(t, make([]byte, 0, 32<<10), number, p, t.batch(p)), `,"ReturnConsumedCapacity":"TOTAL"}`...)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.base, nil)
	if err != nil {
		return request{}, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+of.name)
	credentials, err := t.config.Database.AWS.Credentials.Retrieve(ctx)
	if err != nil {
		return request{}, err
	}
	sum := sha256.Sum256(body)
	if err := t.signer.SignHTTP(ctx, credentials, r, hex.EncodeToString(sum[:]), "dynamodb", t.config.Database.AWS.Region, time.Now()); err != nil {
		return request{}, err
	}
	return request{method: r.Method, url: t.base + "/", body: body, header: r.Header}, nil
}

func appendPut(t *table, dst []byte, _ int, p Part, _ int) []byte {
	return t.appendItem(fmt.Appendf(dst, `{"TableName":%q,"Item":`, t.name), p)
}

func appendGet(t *table, dst []byte, _ int, _ Part, _ int) []byte {
	return fmt.Appendf(dst, `{"TableName":%q,"ConsistentRead":true,"Key":{"id":{"S":%q}}`, t.name, readKey(t.rand.IntN(t.items)))
}

func appendBatchPut(t *table, dst []byte, _ int, p Part, items int) []byte {
	dst = fmt.Appendf(dst, `{"RequestItems":{%q:[`, t.name)
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(t.appendItem(append(dst, `{"PutRequest":{"Item":`...), p), "}}"...)
	}
	return append(dst, "]}"...)
}

// appendItem appends a new item of the part's size.
func (t *table) appendItem(dst []byte, p Part) []byte {
	t.written++
	dst = append(append(append(dst, `{"id":{"S":"`...), writeKey(t.written)...), `"},"pad":{"S":"`...)
	return append(append(dst, t.pad[:cmp.Or(p.Bytes, t.bytes)-keyBytes]...), `"}}`...)
}

// appendBatchGet reads items that lie apart by chance: a step from one to the next keeps them different.
func appendBatchGet(t *table, dst []byte, _ int, _ Part, items int) []byte {
	dst = fmt.Appendf(dst, `{"RequestItems":{%q:{"ConsistentRead":true,"Keys":[`, t.name)
	first, step := t.rand.IntN(t.items), max(1, t.items/items)
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = fmt.Appendf(dst, `{"id":{"S":%q}}`, readKey((first+i*step)%t.items))
	}
	return append(dst, "]}}"...)
}

// checkTable holds what only a profile of a table has to keep.
func checkTable(p *Profile) error {
	for i, part := range p.Mix {
		switch k := p.system().kinds[part.Request]; {
		case !k.writes && part.Batch.Most > p.Population["items"]:
			return fmt.Errorf("mix %d: a %s request reads no more items than there are", i+1, part.Request)
		case part.Bytes != 0 && (part.Bytes <= keyBytes || part.Bytes > maxItemBytes):
			return fmt.Errorf("mix %d: bytes: of an item that is put, %d to %d", i+1, keyBytes+1, maxItemBytes)
		}
	}
	return nil
}
