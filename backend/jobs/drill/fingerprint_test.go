package drill

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// Items whose texts alone would be ambiguous have different hashes.
func TestHash(t *testing.T) {
	t.Parallel()
	different := []ddb.Item{
		{}, {"a": ddb.Str("1")}, {"a": ddb.Number(1)}, ddb.Marshal(map[string]bool{"a": true}),
		{"a": ddb.Str("1"), "b": ddb.Str("")}, {"ab": ddb.Str("1")},
		ddb.Marshal(map[string][]string{"a": {"1"}}), ddb.Marshal(map[string][]string{"a": {"1", ""}}),
		{"a": ddb.Object(ddb.Item{"1": ddb.Str("")})},
		{"a": &types.AttributeValueMemberSS{Value: []string{"1"}}},
		{"a": &types.AttributeValueMemberNS{Value: []string{"1"}}},
		{"a": &types.AttributeValueMemberB{Value: []byte("1")}},
		{"a": &types.AttributeValueMemberBS{Value: [][]byte{[]byte("1")}}},
		{"a": &types.AttributeValueMemberNULL{Value: true}},
	}
	seen := map[[32]byte]int{}
	for i, it := range different {
		if was, twice := seen[hash(it)]; twice {
			t.Errorf("%v and %v have one hash", different[was], it)
		}
		seen[hash(it)] = i
	}
}

// A fingerprint does not depend on the order of items or of a set's members, and a sum can be resumed from its text.
func TestSumIgnoresOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfNDistinct(rapid.StringN(1, 5, 10), 1, 10, rapid.ID[string]).Draw(t, "texts")
		forth, back := parseHashSum(""), parseHashSum("")
		for i := range texts {
			forth.add(ddb.Item{"t": ddb.Str(texts[i]), "all": &types.AttributeValueMemberSS{Value: texts}})
			back = parseHashSum(back.String())
			back.add(ddb.Item{"t": ddb.Str(texts[len(texts)-1-i]),
				"all": &types.AttributeValueMemberSS{Value: append(texts[1:len(texts):len(texts)], texts[0])}})
		}
		if forth.String() != back.String() {
			t.Errorf("%s and %s", forth, back)
		}
	})
}
