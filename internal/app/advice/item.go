package advice

import (
	"encoding/base64"
	"strings"
)

// keyText returns the value of a key attribute as text; empty if the item does not have it.
func keyText(item map[string]any, attribute string) string {
	return scalarText(object(item[attribute]))
}

// scalarText returns a string, a number or a binary as text.
func scalarText(value map[string]any) string {
	for _, v := range value {
		text, _ := v.(string)
		return text
	}
	return ""
}

// itemBytes returns the size of an item, in bytes, as DynamoDB counts it: names and values, without overhead.
func itemBytes(item map[string]any) int {
	n := 0
	for name, value := range item {
		n += len(name) + valueBytes(object(value))
	}
	return n
}

// containerBytes is the size of a list or a map itself, besides one byte for each element.
const containerBytes = 3

func valueBytes(value map[string]any) int {
	for kind, v := range value {
		n := 0
		switch v := v.(type) {
		case string:
			return scalarBytes(kind, v)
		case []any:
			for _, each := range v {
				if text, ok := each.(string); ok { // of a set
					n += scalarBytes(strings.TrimSuffix(kind, "S"), text)
				} else {
					n += 1 + valueBytes(object(each))
				}
			}
		case map[string]any:
			n = itemBytes(v) + len(v)
		}
		if kind == "L" || kind == "M" {
			return n + containerBytes
		}
		return max(n, 1)
	}
	return 0
}

// scalarBytes returns the size of a string, a binary or a number, which has about a byte for two digits.
func scalarBytes(kind, text string) int {
	switch kind {
	case "B":
		return base64.StdEncoding.DecodedLen(len(text)) - strings.Count(text, "=")
	case "N":
		return len(text)/2 + 1
	}
	return len(text)
}
