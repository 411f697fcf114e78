package wire

import "slices"

// Response is the response of an operation.
type Response struct {
	Status int
	Body   []byte
	ETag   string
	Fields []string   // additional headers: name, value, name, value; names in lower case
	buf    [18]string // backing array of Fields, and values for HeaderValue
	values [6]string
	used   int // number of values in use
}

// Set adds a header. The name must be in lower case, as the service writes it: the Java SDK recognizes no other case.
func (o *Response) Set(name, value string) {
	if o.Fields == nil {
		o.Fields = o.buf[:0]
	}
	o.Fields = append(o.Fields, name, value)
}

// Unset removes a header.
func (o *Response) Unset(name string) {
	for i := 0; i < len(o.Fields); i += 2 {
		if o.Fields[i] == name {
			o.Fields = slices.Delete(o.Fields, i, i+2)
			return
		}
	}
}

// HeaderContentPath is the header with the resource id of the parent of the returned resource. Errors do not have it.
const HeaderContentPath = "x-ms-content-path"

// HeaderValue returns a header value in the form of net/http, without an allocation for the first values.
func (o *Response) HeaderValue(text string) []string {
	if o.used == len(o.values) {
		return []string{text}
	}
	o.values[o.used] = text
	o.used++
	return o.values[o.used-1 : o.used : o.used]
}
