package wire

import "slices"

// Response is what an operation answers.
type Response struct {
	Status int
	Body   []byte
	ETag   string
	Fields []string   // further headers: name, value, name, value; names in lower case
	room   [18]string // for fields, and for values
	values [6]string
	used   int // of values
}

// Set adds a header. The name is in lower case, as the service writes it: the SDK for Java knows it in no other.
func (o *Response) Set(name, value string) {
	if o.Fields == nil {
		o.Fields = o.room[:0]
	}
	o.Fields = append(o.Fields, name, value)
}

// Unset takes a header away again.
func (o *Response) Unset(name string) {
	for i := 0; i < len(o.Fields); i += 2 {
		if o.Fields[i] == name {
			o.Fields = slices.Delete(o.Fields, i, i+2)
			return
		}
	}
}

// HeaderOwner has the resource id of what holds the resource that is answered. Errors have none.
const HeaderOwner = "x-ms-content-path"

// HeaderValue is a header's value as net/http has it, in memory that the answer has anyway.
func (o *Response) HeaderValue(text string) []string {
	if o.used == len(o.values) {
		return []string{text}
	}
	o.values[o.used] = text
	o.used++
	return o.values[o.used-1 : o.used : o.used]
}
