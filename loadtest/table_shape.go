package loadtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// shape is what the items of a table have beside their padding: key attributes that differ by the item's number.
type shape struct {
	attributes []attribute
	bytes      int // of them all, and of the padding's name
}

// attribute is a text with the item's number in it.
type attribute struct{ name, before, after string }

// shapeOf reads the attributes of a profile's items: one that is called id, by default.
func shapeOf(p Profile) shape {
	templates := p.Table.Item
	if len(templates) == 0 {
		templates = map[string]string{"id": placeholder}
	}
	s := shape{bytes: len("pad")}
	for _, name := range slices.Sorted(maps.Keys(templates)) {
		before, after, _ := strings.Cut(templates[name], placeholder)
		s.attributes = append(s.attributes, attribute{name, before, after})
		s.bytes += len(name) + len(before) + len(readKey(0)) + len(after)
	}
	return s
}

// placeholder stands for the number of an item.
const placeholder = "{n}"

func readKey(i int) string  { return fmt.Sprintf("r%08d", i) }
func writeKey(i int) string { return fmt.Sprintf("w%08d", i) }

// item is one with this number and padding.
func (s shape) item(number, pad string) map[string]types.AttributeValue {
	item := map[string]types.AttributeValue{"pad": &types.AttributeValueMemberS{Value: pad}}
	for _, a := range s.attributes {
		item[a.name] = &types.AttributeValueMemberS{Value: a.before + number + a.after}
	}
	return item
}

// appendKey appends the JSON members of the attributes that are of this key, of all where there is none.
func (s shape) appendKey(dst []byte, number string, key []string) []byte {
	first := true
	for _, a := range s.attributes {
		if key != nil && !slices.Contains(key, a.name) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(append(dst, '"'), a.name...), `":{"S":"`...)
		dst = append(append(append(append(dst, a.before...), number...), a.after...), `"}`...)
	}
	return dst
}

// checkItem holds that the attributes of a profile's items are some that JSON takes as they are, with the number in the first
// attribute of the table's key at least.
func checkItem(p *Profile) error {
	for name, template := range p.Table.Item {
		if strings.ContainsAny(name+template, "\"\\") || strings.ContainsFunc(name+template, func(r rune) bool { return r < ' ' }) || name == "" || template == "" {
			return fmt.Errorf("table: item: %s: give names and texts without quotes, backslashes and control characters", name)
		}
	}
	if p.Table.Schema != "" && len(p.Table.Item) == 0 {
		return fmt.Errorf("table: give its items' key attributes: item: {PK: \"CASE#{n}\", SK: META}")
	}
	return nil
}
