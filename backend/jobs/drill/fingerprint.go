package drill

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// Fingerprint identifies the contents of a table, regardless of the order of its items.
type Fingerprint struct {
	Table string `json:"table"`
	At    string `json:"at"` // RFC 3339: the first whole second after the scan
	Items int64  `json:"items"`
	Sum   string `json:"sum"` // hex: the sum of the items' SHA-256 hashes, modulo 2^256
}

// Record scans a whole table with strongly consistent reads. The result is a point in time only if nobody writes during
// the scan.
func Record(ctx context.Context, client *dynamodb.Client, table string, now func() time.Time) (Fingerprint, error) {
	f := Fingerprint{Table: table}
	total := parseHashSum("")
	pages := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: &table, ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return f, ddb.MapError(err)
		}
		for _, it := range page.Items {
			total.add(it)
			f.Items++
		}
	}
	f.At, f.Sum = now().UTC().Add(time.Second-1).Truncate(time.Second).Format(time.RFC3339), total.String()
	return f, nil
}

// hashSum is a sum of hashes, which does not depend on their order.
type hashSum struct{ n big.Int }

func parseHashSum(text string) *hashSum {
	t := &hashSum{}
	raw, _ := hex.DecodeString(text) // written by this package; empty at the start
	t.n.SetBytes(raw)
	return t
}

func (t *hashSum) add(it ddb.Item) {
	h := hash(it)
	t.n.Add(&t.n, new(big.Int).SetBytes(h[:]))
	t.n.And(&t.n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1)))
}

func (t *hashSum) String() string {
	var b [32]byte
	return hex.EncodeToString(t.n.FillBytes(b[:]))
}

// hash returns a hash that is equal exactly for equal items: attributes are ordered by name and the members of sets by
// value, and each is written with its type and length.
func hash(it ddb.Item) [32]byte {
	var b bytes.Buffer
	writeItem(&b, it)
	return sha256.Sum256(b.Bytes())
}

func writeItem(b *bytes.Buffer, it ddb.Item) {
	writeLength(b, len(it))
	for _, name := range slices.Sorted(maps.Keys(it)) {
		writeText(b, 'k', name)
		writeValue(b, it[name])
	}
}

func writeValue(b *bytes.Buffer, v types.AttributeValue) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		writeText(b, 's', v.Value)
	case *types.AttributeValueMemberN:
		writeText(b, 'n', v.Value)
	case *types.AttributeValueMemberB:
		writeText(b, 'b', string(v.Value))
	case *types.AttributeValueMemberBOOL:
		writeText(b, 't', map[bool]string{true: "1", false: "0"}[v.Value])
	case *types.AttributeValueMemberNULL:
		writeText(b, '0', "")
	case *types.AttributeValueMemberM:
		b.WriteByte('m')
		writeItem(b, v.Value)
	case *types.AttributeValueMemberL:
		b.WriteByte('l')
		writeLength(b, len(v.Value))
		for _, member := range v.Value {
			writeValue(b, member)
		}
	case *types.AttributeValueMemberSS:
		writeSet(b, 'S', v.Value)
	case *types.AttributeValueMemberNS:
		writeSet(b, 'N', v.Value)
	case *types.AttributeValueMemberBS:
		texts := make([]string, len(v.Value))
		for i, raw := range v.Value {
			texts[i] = string(raw)
		}
		writeSet(b, 'B', texts)
	}
}

func writeSet(b *bytes.Buffer, kind byte, members []string) {
	b.WriteByte(kind)
	writeLength(b, len(members))
	for _, member := range slices.Sorted(slices.Values(members)) {
		writeText(b, 'e', member)
	}
}

func writeText(b *bytes.Buffer, kind byte, text string) {
	b.WriteByte(kind)
	writeLength(b, len(text))
	b.WriteString(text)
}

func writeLength(b *bytes.Buffer, n int) {
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(n)))
}
