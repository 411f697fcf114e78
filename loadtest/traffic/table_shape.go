package traffic

import (
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// shape describes the items of a table without their padding: key attributes that differ by the item's number.
type shape struct {
	attributes []profile.KeyAttribute
	bytes      int // size of all attributes and of the padding's name
}

// shapeOf returns the shape of a profile's items. Default: one attribute called id.
func shapeOf(p profile.Profile) shape {
	return shape{p.Table.KeyAttributes(), p.Table.Overhead()}
}

// readKey and writeKey return the number of an item as its key has it: of an item that exists before the attack, and of
// one that the attack writes.
func readKey(i int) string  { return number('r', i) }
func writeKey(i int) string { return number('w', i) }

// number returns a letter and a number with leading zeros. Each item of a batch has one, so it does without fmt.
func number(letter byte, i int) string {
	const zeros = "00000000"
	digits := strconv.Itoa(i)
	return string(letter) + zeros[:max(0, profile.NumberLength-1-len(digits))] + digits
}

// item returns an item with this number and padding.
func (s shape) item(number, pad string) map[string]types.AttributeValue {
	item := map[string]types.AttributeValue{"pad": &types.AttributeValueMemberS{Value: pad}}
	for _, a := range s.attributes {
		item[a.Name] = &types.AttributeValueMemberS{Value: string(a.AppendValue(nil, number))}
	}
	return item
}

// appendKey appends the JSON members of the attributes in key, or of all attributes if key is nil.
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
		dst = append(a.AppendValue(dst, number), `"}`...)
	}
	return dst
}
