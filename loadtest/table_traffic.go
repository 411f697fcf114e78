package loadtest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// tableKind is one kind of request on a table that a mix can name.
type tableKind struct {
	operation string
	most      int // items in a request
	writes    bool
	append    func(t *tableTraffic, dst []byte, p Part, items int) []byte
}

// maxPuts and maxGets are how many items the database takes in one batch.
const (
	maxPuts = 25
	maxGets = 100
)

var tableKinds = map[string]tableKind{
	"put":       {"PutItem", 1, true, appendPut},
	"get":       {"GetItem", 1, false, appendGet},
	"batch-put": {"BatchWriteItem", maxPuts, true, appendBatchPut},
	"batch-get": {"BatchGetItem", maxGets, false, appendBatchGet},
}

// tableTraffic makes signed requests on a table, in an order that follows from the seed. Reads are consistent, of the items
// that are there before; writes are of other items, each a new one.
type tableTraffic struct {
	config  aws.Config
	base    string
	table   string
	items   int
	bytes   int
	pad     string
	mix     *mix
	rand    *rand.Rand
	signer  *v4.Signer
	written int
}

// maxItemBytes is the size of the largest item.
const maxItemBytes = 400 << 10

func newTableTraffic(c Config, table string) *tableTraffic {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], c.Seed)
	p := c.Profile.Population
	return &tableTraffic{config: c.Database.AWS, table: table, items: p.Items, bytes: p.Bytes, pad: strings.Repeat("k3v9x0q7", maxItemBytes/8),
		base: cmp.Or(aws.ToString(c.Database.AWS.BaseEndpoint), "https://dynamodb."+c.Database.AWS.Region+".amazonaws.com"),
		mix:  newMix(c.Profile.Mix), rand: rand.New(rand.NewChaCha8(key)), signer: v4.NewSigner()}
}

// keyBytes is what the key and the names of the attributes add to the padding of an item.
const keyBytes = len("id") + len("r00000000") + len("pad")

func readKey(i int) string  { return fmt.Sprintf("r%08d", i) }
func writeKey(i int) string { return fmt.Sprintf("w%08d", i) }

func (t *tableTraffic) targeter(ctx context.Context) vegeta.Targeter {
	made := makeAhead(ctx, func() (vegeta.Target, error) { return t.next(ctx) })
	return func(target *vegeta.Target) error {
		next, open := <-made
		if !open || ctx.Err() != nil {
			return vegeta.ErrNoTargets
		}
		*target = next
		return nil
	}
}

// next makes the next request. Its kind travels in the fragment of the URL.
func (t *tableTraffic) next(ctx context.Context) (vegeta.Target, error) {
	part := t.mix.parts[t.mix.next()]
	kind := tableKinds[part.Request]
	n := max(part.Batch.Least, 1)
	n += t.rand.IntN(max(part.Batch.Most, n) - n + 1)
	body := append(kind.append(t, make([]byte, 0, 32<<10), part, n), `,"ReturnConsumedCapacity":"TOTAL"}`...)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.base, nil)
	if err != nil {
		return vegeta.Target{}, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+kind.operation)
	credentials, err := t.config.Credentials.Retrieve(ctx)
	if err != nil {
		return vegeta.Target{}, err
	}
	sum := sha256.Sum256(body)
	if err := t.signer.SignHTTP(ctx, credentials, r, hex.EncodeToString(sum[:]), "dynamodb", t.config.Region, time.Now()); err != nil {
		return vegeta.Target{}, err
	}
	return vegeta.Target{Method: r.Method, URL: t.base + "/#" + part.Request, Body: body, Header: r.Header}, nil
}

func appendPut(t *tableTraffic, dst []byte, p Part, _ int) []byte {
	return t.appendItem(fmt.Appendf(dst, `{"TableName":%q,"Item":`, t.table), p)
}

func appendGet(t *tableTraffic, dst []byte, _ Part, _ int) []byte {
	return fmt.Appendf(dst, `{"TableName":%q,"ConsistentRead":true,"Key":{"id":{"S":%q}}`, t.table, readKey(t.rand.IntN(t.items)))
}

func appendBatchPut(t *tableTraffic, dst []byte, p Part, items int) []byte {
	dst = fmt.Appendf(dst, `{"RequestItems":{%q:[`, t.table)
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(t.appendItem(append(dst, `{"PutRequest":{"Item":`...), p), "}}"...)
	}
	return append(dst, "]}"...)
}

// appendItem appends a new item of the part's size.
func (t *tableTraffic) appendItem(dst []byte, p Part) []byte {
	t.written++
	dst = append(append(append(dst, `{"id":{"S":"`...), writeKey(t.written)...), `"},"pad":{"S":"`...)
	return append(append(dst, t.pad[:cmp.Or(p.Bytes, t.bytes)-keyBytes]...), `"}}`...)
}

// appendBatchGet reads items that lie apart by chance: a step from one to the next keeps them different.
func appendBatchGet(t *tableTraffic, dst []byte, _ Part, items int) []byte {
	dst = fmt.Appendf(dst, `{"RequestItems":{%q:{"ConsistentRead":true,"Keys":[`, t.table)
	first, step := t.rand.IntN(t.items), max(1, t.items/items)
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = fmt.Appendf(dst, `{"id":{"S":%q}}`, readKey((first+i*step)%t.items))
	}
	return append(dst, "]}}"...)
}

// validateTable checks a profile of a table.
func (p *Profile) validateTable() error {
	switch pop := p.Population; {
	case pop.Items > 10_000_000:
		return fmt.Errorf("population: %d items: give at most 10000000", pop.Items)
	case pop.Bytes <= keyBytes || pop.Bytes > maxItemBytes:
		return fmt.Errorf("population: items of %d bytes: give %d to %d", pop.Bytes, keyBytes+1, maxItemBytes)
	case pop.Devices != 0 || pop.Keys != 0 || pop.Readings != 0:
		return errors.New("population: a profile of a table has items, and no devices, keys or readings")
	}
	validate := func(part Part) error { return part.validateTable(p.Population.Items) }
	return cmp.Or(first(p.Stages, Stage.validate, "stage"), first(p.Mix, validate, "mix"), first(p.Limits, Limit.validate, "limit"))
}

func (p Part) validateTable(items int) error {
	k, known := tableKinds[p.Request]
	switch {
	case !known:
		return fmt.Errorf("no request %q on a table: give one of %s", p.Request, names(tableKinds))
	case p.Weight < 1 || p.Weight > 1_000_000:
		return fmt.Errorf("weight %d: give 1 to 1000000", p.Weight)
	case p.Device != 0:
		return errors.New("a request on a table names no device")
	case p.Batch.Most > k.most || !k.writes && p.Batch.Most > items:
		return fmt.Errorf("a %s request has at most %d items, and reads no more than there are", p.Request, k.most)
	case p.Bytes != 0 && (p.Bytes <= keyBytes || p.Bytes > maxItemBytes || !k.writes):
		return fmt.Errorf("bytes: of an item that is put, %d to %d", keyBytes+1, maxItemBytes)
	}
	return nil
}
