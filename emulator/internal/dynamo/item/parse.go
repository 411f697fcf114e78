package item

import "github.com/tabletop-db/tabletop/emulator/internal/jsonread"

// ParseJSON reads one attribute value, {"S": "text"}, from a text that holds nothing else. It is meant for
// tests and tools; a server decodes its requests by a Decoder.
func ParseJSON(text string) (Value, error) {
	return parse(text, (*Decoder).Value)
}

// ParseItem reads a whole item, {"pk": {"S": "text"}}, as ParseJSON reads a value.
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
