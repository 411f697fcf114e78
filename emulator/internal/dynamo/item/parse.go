package item

import "github.com/tabletop-db/tabletop/emulator/internal/jsonread"

// ParseJSON parses one attribute value, such as {"S": "text"}. It is for tests and tools; a server decodes requests
// with a Decoder.
func ParseJSON(text string) (Value, error) {
	return parse(text, (*Decoder).Value)
}

// ParseItem parses an item, such as {"pk": {"S": "text"}}. Like ParseJSON, it is for tests and tools.
func ParseItem(text string) (Value, error) {
	return parse(text, (*Decoder).Item)
}

func parse(text string, read func(*Decoder, *jsonread.Reader) (Value, error)) (Value, error) {
	r, err := jsonread.New([]byte(text))
	if err != nil {
		return nil, err
	}
	var d Decoder
	v, err := read(&d, &r)
	if err != nil {
		return nil, err
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return v, r.End()
}
