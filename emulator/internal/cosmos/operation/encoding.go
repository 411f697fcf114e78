package operation

import (
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Encoding is how a client wants items answered.
type Encoding struct {
	Omit   bool // not at all
	Lean   bool // without _self and _attachments
	Binary bool // in Cosmos DB's binary form of JSON
}

// Encoding reads how the client wants items answered.
func (r *Request) Encoding() Encoding {
	return Encoding{Omit: !r.WantsBody(), Lean: r.Flag("X-Ms-Exclude-System-Properties"), Binary: r.Binary()}
}

// Encode returns a document in the form that the client takes.
func (e Encoding) Encode(v doc.Value) []byte {
	if e.Binary {
		return doc.AppendBinary(nil, v)
	}
	return doc.Append(nil, v)
}

// WantsBody reports whether the client wants the item that it writes back.
func (r *Request) WantsBody() bool {
	if r.Method == http.MethodGet {
		return true
	}
	return !strings.EqualFold(r.Header("Prefer"), "return=minimal") &&
		!strings.EqualFold(r.Header("X-Ms-Cosmos-Populate-Content-Response-On-Write"), "false")
}

// Binary reports whether the client takes answers in Cosmos DB's binary form of JSON: the form that it asks for, or one
// of those that it says it knows.
func (r *Request) Binary() bool {
	if form := r.Header("X-Ms-Documentdb-Content-Serialization-Format"); form != "" {
		return strings.EqualFold(form, wire.FormBinary)
	}
	formats := r.Header("X-Ms-Cosmos-Supported-Serialization-Formats")
	if formats == "" {
		return false
	}
	for format := range strings.SplitSeq(formats, ",") {
		if strings.EqualFold(strings.TrimSpace(format), wire.FormBinary) {
			return true
		}
	}
	return false
}

// CheckForm refuses a form of JSON that there is not. Of those that a client only says it knows, unknown ones are
// passed over.
func (r *Request) CheckForm() *wire.Error {
	if form := r.Header("X-Ms-Documentdb-Content-Serialization-Format"); form != "" && !wire.OneOf(form, wire.FormText, wire.FormBinary) {
		return wire.InvalidInput("The serialization format %q is none of %s and %s.", form, wire.FormText, wire.FormBinary)
	}
	return nil
}
