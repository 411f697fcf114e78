package traffic

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// operation makes the body of a kind of request.
type operation struct {
	name string
	// choose returns the number of the first of this many items, counted from 0.
	choose func(t *table, items int) int
	append func(t *table, dst []byte, p profile.Part, first, items int) []byte
	whole  bool // the body has whole items, not only their keys
}

var operations = map[string]operation{
	"put":       {"PutItem", (*table).newItems, appendPut, true},
	"get":       {"GetItem", (*table).randomItem, appendGet, false},
	"batch-put": {"BatchWriteItem", (*table).newItems, appendBatchPut, true},
	"batch-get": {"BatchGetItem", (*table).randomItem, appendBatchGet, false},
}

// newItems returns the number of the first of new items.
func (t *table) newItems(items int) int {
	t.written += items
	return t.written - items + 1
}

// randomItem returns the number of an item that exists before the attack.
func (t *table) randomItem(int) int { return t.rand.IntN(t.items) }

// table makes signed requests to a table, in an order that follows from the seed. Reads are strongly consistent and use
// the items that exist before the attack; each write creates a new item.
type table struct {
	baseSubject
	*picker
	config    Setup
	client    *dynamodb.Client
	base      string
	name      string
	items     int
	bytes     int
	pad       string
	shape     shape
	key       []string // the attributes of the table's primary key
	signer    *v4.Signer
	transport *tableTransport
	created   bool // the table was created
	written   int
}

func newTable(c Setup) (*table, error) {
	p := c.Profile.Population
	t := &table{shape: shapeOf(c.Profile), picker: newPicker(c.Seed), config: c,
		client: dynamodb.NewFromConfig(c.Database.AWS),
		name:   c.Database.Prefix + "load-" + strings.ToLower(c.Profile.ID),
		items:  p["items"], bytes: p["bytes"], pad: strings.Repeat("k3v9x0q7", profile.MaxItemBytes/8),
		signer: v4.NewSigner(),
		base:   cmp.Or(aws.ToString(c.Database.AWS.BaseEndpoint), "https://dynamodb."+c.Database.AWS.Region+".amazonaws.com")}
	in, err := t.definition()
	if err != nil {
		return nil, err
	}
	for _, k := range in.KeySchema {
		t.key = append(t.key, *k.AttributeName)
	}
	return t, nil
}

// Join needs nothing: the items follow from their numbers.
func (t *table) Join(context.Context, json.RawMessage) error { return nil }

func (t *table) next(_ int, p profile.Part) draft {
	of, items := operations[p.Request], t.batchSize(p)
	first := of.choose(t, items)
	return func(ctx context.Context) (request, error) {
		body := make([]byte, 0, t.bodySize(of, p, items))
		body = append(of.append(t, body, p, first, items), `,"ReturnConsumedCapacity":"TOTAL"}`...)
		return t.signed(ctx, of.name, body)
	}
}

// bodySize returns about the size of a body in bytes.
func (t *table) bodySize(of operation, p profile.Part, items int) int {
	const request, key = 256, 128
	if !of.whole {
		return request + items*key
	}
	return request + items*(key+cmp.Or(p.Bytes, t.bytes))
}

// signed returns a signed request of an operation.
func (t *table) signed(ctx context.Context, operation string, body []byte) (request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.base, nil)
	if err != nil {
		return request{}, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	credentials, err := t.config.Database.AWS.Credentials.Retrieve(ctx)
	if err != nil {
		return request{}, err
	}
	sum := sha256.Sum256(body)
	if err := t.signer.SignHTTP(ctx, credentials, r, hex.EncodeToString(sum[:]), "dynamodb", t.config.Database.AWS.Region,
		time.Now()); err != nil {
		return request{}, err
	}
	return request{method: r.Method, url: t.base + "/", body: body, header: r.Header}, nil
}

func appendPut(t *table, dst []byte, p profile.Part, number, _ int) []byte {
	return t.appendItem(fmt.Appendf(dst, `{"TableName":%q,"Item":`, t.name), p, number)
}

func appendGet(t *table, dst []byte, p profile.Part, i, _ int) []byte {
	if p.Only > 0 {
		i = p.Only - 1
	}
	return append(t.shape.appendKey(fmt.Appendf(dst, `{"TableName":%q,"ConsistentRead":true,"Key":{`, t.name),
		readKey(i), t.key), '}')
}

func appendBatchPut(t *table, dst []byte, p profile.Part, first, items int) []byte {
	dst = fmt.Appendf(dst, `{"RequestItems":{%q:[`, t.name)
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(t.appendItem(append(dst, `{"PutRequest":{"Item":`...), p, first+i), "}}"...)
	}
	return append(dst, "]}"...)
}

// appendItem appends the new item with this number, of the part's size, or the item that the part names.
func (t *table) appendItem(dst []byte, p profile.Part, i int) []byte {
	number := writeKey(i)
	if p.Only > 0 {
		number = readKey(p.Only - 1)
	}
	dst = append(t.shape.appendKey(append(dst, '{'), number, nil), `,"pad":{"S":"`...)
	return append(append(dst, t.pad[:cmp.Or(p.Bytes, t.bytes)-t.shape.bytes]...), `"}}`...)
}

// appendBatchGet appends the keys of random items. A constant step from one to the next keeps them distinct.
func appendBatchGet(t *table, dst []byte, _ profile.Part, first, items int) []byte {
	dst = fmt.Appendf(dst, `{"RequestItems":{%q:{"ConsistentRead":true,"Keys":[`, t.name)
	step := max(1, t.items/items)
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(t.shape.appendKey(append(dst, '{'), readKey((first+i*step)%t.items), t.key), '}')
	}
	return append(dst, "]}}"...)
}
