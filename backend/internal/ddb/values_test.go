package ddb

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
)

type sample struct {
	Name   string           `dynamodbav:"name"`
	Litres float64          `dynamodbav:"litres"`
	Fruits []string         `dynamodbav:"fruits"`
	Notes  map[string]int64 `dynamodbav:"notes,omitempty"`
}

// TestUnmarshal checks that an item's attributes are decoded, and that missing attributes, attributes of another type,
// and attributes without a field change nothing.
func TestUnmarshal(t *testing.T) {
	t.Parallel()
	list := &types.AttributeValueMemberL{Value: []types.AttributeValue{Str("fig")}}
	for name, c := range map[string]struct {
		item Item
		want sample
	}{
		"none": {nil, sample{Name: "before", Fruits: []string{}}},
		"some": {Item{"name": Str("a"), "litres": Number(2), "SK": Str("x")}, sample{Name: "a", Litres: 2,
			Fruits: []string{}}},
		"another type": {Item{"name": list, "litres": Str("many"), "fruits": list},
			sample{Name: "before", Fruits: []string{"fig"}}},
		"inside of one": {Item{"name": Str("a"), "notes": Str("none")}, sample{Name: "a", Fruits: []string{}}},
		"no number": {Item{"name": Str("a"), "litres": &types.AttributeValueMemberN{Value: "1e999"}},
			sample{Name: "a", Fruits: []string{}}},
	} {
		got := sample{Name: "before", Fruits: []string{}}
		Unmarshal(c.item, &got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
