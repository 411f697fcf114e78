package traffic

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

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// operation makes the body of a kind of request.
type operation struct {
	name   string
	append func(t *table, dst []byte, number int, p profile.Part, items int) []byte
}

var operations = map[string]operation{
	"put":       {"PutItem", appendPut},
	"get":       {"GetItem", appendGet},
	"batch-put": {"BatchWriteItem", appendBatchPut},
	"batch-get": {"BatchGetItem", appendBatchGet},
}

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

// next returns the next request, signed.
func (t *table) next(ctx context.Context, number int, p profile.Part) (request, error) {
	of := operations[p.Request]
	body := append(of.append(t, make([]byte, 0, 32<<10), number, p, t.batchSize(p)),
		`,"ReturnConsumedCapacity":"TOTAL"}`...)
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
	if err := t.signer.SignHTTP(ctx, credentials, r, hex.EncodeToString(sum[:]), "dynamodb", t.config.Database.AWS.Region,
		time.Now()); err != nil {
		return request{}, err
	}
	return request{method: r.Method, url: t.base + "/", body: body, header: r.Header}, nil
}

func appendPut(t *table, dst []byte, _ int, p profile.Part, _ int) []byte {
	return t.appendItem(fmt.Appendf(dst, `{"TableName":%q,"Item":`, t.name), p)
}

func appendGet(t *table, dst []byte, _ int, p profile.Part, _ int) []byte {
	i := t.rand.IntN(t.items)
	if p.Only > 0 {
		i = p.Only - 1
	}
	return append(t.shape.appendKey(fmt.Appendf(dst, `{"TableName":%q,"ConsistentRead":true,"Key":{`, t.name),
		readKey(i), t.key), '}')
}

func appendBatchPut(t *table, dst []byte, _ int, p profile.Part, items int) []byte {
	dst = fmt.Appendf(dst, `{"RequestItems":{%q:[`, t.name)
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(t.appendItem(append(dst, `{"PutRequest":{"Item":`...), p), "}}"...)
	}
	return append(dst, "]}"...)
}

// appendItem appends a new item of the part's size, or the item that the part names.
func (t *table) appendItem(dst []byte, p profile.Part) []byte {
	t.written++
	number := writeKey(t.written)
	if p.Only > 0 {
		number = readKey(p.Only - 1)
	}
	dst = append(t.shape.appendKey(append(dst, '{'), number, nil), `,"pad":{"S":"`...)
	return append(append(dst, t.pad[:cmp.Or(p.Bytes, t.bytes)-t.shape.bytes]...), `"}}`...)
}

// appendBatchGet appends the keys of random items. A constant step from one to the next keeps them distinct.
func appendBatchGet(t *table, dst []byte, _ int, _ profile.Part, items int) []byte {
	dst = fmt.Appendf(dst, `{"RequestItems":{%q:{"ConsistentRead":true,"Keys":[`, t.name)
	first, step := t.rand.IntN(t.items), max(1, t.items/items)
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(t.shape.appendKey(append(dst, '{'), readKey((first+i*step)%t.items), t.key), '}')
	}
	return append(dst, "]}}"...)
}
