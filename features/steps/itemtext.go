package steps

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/wire"
)

// ItemOf parses an item or a key that a scenario writes as JSON, with {names} replaced by their values.
func (w *World) ItemOf(text string) (Item, error) {
	text, err := w.Fill(text)
	if err != nil {
		return nil, err
	}
	item, rest, err := plainItem(text)
	if err == nil && strings.TrimSpace(rest) != "" {
		err = fmt.Errorf("%q follows the item", rest)
	}
	return item, err
}

// plainItem parses the JSON object at the beginning of a text, with all digits of numbers, and returns the text after
// it.
func plainItem(text string) (Item, string, error) {
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	var plain map[string]any
	if err := in.Decode(&plain); err != nil {
		return nil, text, fmt.Errorf("the item %s is not JSON: %w", text, err)
	}
	item := Item{}
	for name, value := range plain {
		v, err := attributeOf(value)
		if err != nil {
			return nil, text, err
		}
		item[name] = v
	}
	return item, text[in.InputOffset():], nil
}

// attributeOf converts a JSON value to an attribute value.
func attributeOf(value any) (types.AttributeValue, error) {
	switch v := value.(type) {
	case json.Number:
		return &types.AttributeValueMemberN{Value: v.String()}, nil
	case map[string]any:
		m := Item{}
		for name, member := range v {
			a, err := attributeOf(member)
			if err != nil {
				return nil, err
			}
			m[name] = a
		}
		return &types.AttributeValueMemberM{Value: m}, nil
	case []any:
		l := make([]types.AttributeValue, len(v))
		for i, member := range v {
			a, err := attributeOf(member)
			if err != nil {
				return nil, err
			}
			l[i] = a
		}
		return &types.AttributeValueMemberL{Value: l}, nil
	}
	return attributevalue.Marshal(value)
}

// itemsOf parses a table of items: the attribute names are in the first row, and each further row is an item. An empty
// cell means no attribute.
func (w *World) itemsOf(rows *godog.Table) ([]Item, error) {
	if len(rows.Rows) < 1 {
		return nil, fmt.Errorf("a table of items begins with the names of their attributes")
	}
	items := []Item{}
	for _, row := range rows.Rows[1:] {
		item := Item{}
		for i, cell := range row.Cells {
			text, err := w.Fill(cell.Value)
			if err != nil {
				return nil, err
			}
			if text == "" {
				continue
			}
			if item[rows.Rows[0].Cells[i].Value], err = valueOf(text); err != nil {
				return nil, err
			}
		}
		items = append(items, item)
	}
	return items, nil
}

// valueOf parses a value in a cell: JSON if it is valid JSON, otherwise a text, which may be in single quotes.
func valueOf(text string) (types.AttributeValue, error) {
	if quoted, ok := strings.CutPrefix(text, "'"); ok && strings.HasSuffix(quoted, "'") {
		return &types.AttributeValueMemberS{Value: strings.TrimSuffix(quoted, "'")}, nil
	}
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	var plain any
	if err := in.Decode(&plain); err != nil || in.More() {
		return &types.AttributeValueMemberS{Value: text}, nil
	}
	return attributeOf(plain)
}

// written formats items for people, one per line.
func written(items []Item) string {
	if len(items) == 0 {
		return "none"
	}
	lines := make([]string, len(items))
	for i, item := range items {
		lines[i] = wire.Value(&types.AttributeValueMemberM{Value: item})
	}
	return strings.Join(lines, "\n")
}
