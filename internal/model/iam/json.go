package iam

import (
	"github.com/go-json-experiment/json/jsontext"
)

// appendJSON writes a node as JSON without spaces.
func (n *node) appendJSON(dst []byte) []byte {
	switch n.kind {
	case nodeObject:
		dst = append(dst, '{')
		for i, m := range n.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(dst, m.name), ':')
			dst = m.value.appendJSON(dst)
		}
		return append(dst, '}')
	case nodeList:
		dst = append(dst, '[')
		for i, item := range n.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.appendJSON(dst)
		}
		return append(dst, ']')
	case nodeText:
		return appendString(dst, n.text)
	case nodeNull:
		return append(dst, "null"...)
	}
	return append(dst, n.text...)
}

// appendString writes a JSON string; invalid UTF-8 becomes the replacement character.
func appendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}
