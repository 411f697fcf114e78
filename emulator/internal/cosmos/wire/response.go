package wire

import "slices"

// Response is the response of an operation.
type Response struct {
	Status int
	Body   []byte
	ETag   string
	Fields []string // additional headers: name, value, name, value; names in lower case
}

// Set sets a header. The name must be in lower case, as the service writes it: the Java SDK recognizes no other case.
func (o *Response) Set(name, value string) {
	for i := 0; i < len(o.Fields); i += 2 {
		if o.Fields[i] == name {
			o.Fields[i+1] = value
			return
		}
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
