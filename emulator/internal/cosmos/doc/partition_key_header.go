package doc

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrPartitionKeyHeader is the error for a header x-ms-documentdb-partitionkey that is not an array of strings,
// numbers, booleans, nulls and empty objects.
var ErrPartitionKeyHeader = errors.New("the partition key header is not an array of scalars")

// maxHeaderComponents limits the work on a hostile header. A key has at most three components.
const maxHeaderComponents = 64

// ParsePartitionKeyHeader parses the header x-ms-documentdb-partitionkey: ["a"], [1.5], [null], ["a",1] for a
// hierarchical key, [{}] for undefined, [] for none. It also accepts the escapes of Go's strconv.QuoteToASCII, which
// azcosmos writes although JSON does not have them. Errors: ErrPartitionKeyHeader.
func ParsePartitionKeyHeader(text string) (PartitionKey, error) {
	if plain, ok := plainKeyHeader(text); ok {
		return PartitionKey{String(plain)}, nil
	}
	v, err := Parse(unescapeGo(text))
	if err != nil || v.Kind() != List || v.Len() > maxHeaderComponents {
		return nil, ErrPartitionKeyHeader
	}
	key := make(PartitionKey, 0, v.Len())
	for _, e := range v.Elements() {
		c, err := checkComponent(e)
		if err != nil {
			return nil, ErrPartitionKeyHeader
		}
		key = append(key, c)
	}
	return key, nil
}

// plainKeyHeader returns the only string of a header, as in ["a"], if it is ASCII and has no escapes.
func plainKeyHeader(text string) (plain string, ok bool) {
	const open, end = `["`, `"]`
	if len(text) < len(open)+len(end) || text[:len(open)] != open || text[len(text)-len(end):] != end {
		return "", false
	}
	plain = text[len(open) : len(text)-len(end)]
	for i := range len(plain) {
		if b := plain[i]; b < ' ' || b == '"' || b == '\\' || b >= utf8.RuneSelf {
			return "", false
		}
	}
	return plain, true
}

// unescapeGo replaces escapes that only Go has (\a \v \x01 \U0001f600) by JSON's.
func unescapeGo(text string) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			continue
		}
		i++
		switch digits := map[byte]int{'x': 2, 'U': 8}[text[i]]; {
		case text[i] == 'a':
			out = append(out, `\u0007`...)
		case text[i] == 'v':
			out = append(out, `\u000b`...)
		case digits > 0 && len(text)-i > digits:
			code, err := strconv.ParseUint(text[i+1:i+1+digits], 16, 32)
			if err != nil {
				return nil // invalid JSON
			}
			out = appendCodePoint(out, rune(code), digits)
			i += digits
		default:
			out = append(out, '\\', text[i])
		}
	}
	return out
}

// appendCodePoint appends an escaped character. Two digits are one byte, which beyond ASCII is invalid UTF-8.
func appendCodePoint(out []byte, r rune, digits int) []byte {
	if digits == 2 && r >= utf8.RuneSelf || !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendCodeUnit(appendCodeUnit(out, high), low)
	}
	return appendCodeUnit(out, r)
}

func appendCodeUnit(out []byte, unit rune) []byte {
	return fmt.Appendf(out, `\u%04x`, unit)
}
