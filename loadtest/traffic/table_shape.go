package traffic

import (
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// shape is what the items of a table have beside their padding: key attributes that differ by the item's number.
type shape struct {
	attributes []profile.KeyAttribute
	bytes      int // of them all, and of the padding's name
}

// shapeOf reads the attributes of a profile's items: one that is called id, by default.
func shapeOf(p profile.Profile) shape {
	return shape{p.Table.KeyAttributes(), p.Table.Overhead()}
}

// readKey and writeKey are the numbers of items as their keys have them: of those that are there before, and of those
// that are written.
func readKey(i int) string  { return number('r', i) }
func writeKey(i int) string { return number('w', i) }

func number(letter byte, i int) string {
	return fmt.Sprintf("%c%0*d", letter, profile.NumberLength-1, i)
}

// item is one with this number and padding.
func (s shape) item(number, pad string) map[string]types.AttributeValue {
	item := map[string]types.AttributeValue{"pad": &types.AttributeValueMemberS{Value: pad}}
	for _, a := range s.attributes {
		item[a.Name] = &types.AttributeValueMemberS{Value: a.Before + number + a.After}
	}
	return item
}

// appendKey appends the JSON members of the attributes that are of this key, of all where there is none.
func (s shape) appendKey(dst []byte, number string, key []string) []byte {
	first := true
	for _, a := range s.attributes {
		if key != nil && !slices.Contains(key, a.Name) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(append(dst, '"'), a.Name...), `":{"S":"`...)
		dst = append(append(append(append(dst, a.Before...), number...), a.After...), `"}`...)
	}
	return dst
}
