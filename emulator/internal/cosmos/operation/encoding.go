package operation

import (
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Encoding is the form in which a client wants items.
type Encoding struct {
	OmitBody                bool // no body
	ExcludeSystemProperties bool // without _self and _attachments
	Binary                  bool // in Cosmos DB's binary JSON
}

// Encoding returns the form in which the client wants items.
func (r *Request) Encoding() Encoding {
	return Encoding{OmitBody: !r.WantsBody(), ExcludeSystemProperties: r.Flag("X-Ms-Exclude-System-Properties"),
		Binary: r.Binary()}
}

// Encode returns a document in the client's format.
func (e Encoding) Encode(v doc.Value) []byte {
	if e.Binary {
		return doc.AppendBinary(nil, v)
	}
	return doc.Append(nil, v)
}

// WantsBody reports whether the client wants the written item in the response.
func (r *Request) WantsBody() bool {
	if r.Method == http.MethodGet {
		return true
	}
	return !strings.EqualFold(r.Header("Prefer"), "return=minimal") &&
		!strings.EqualFold(r.Header("X-Ms-Cosmos-Populate-Content-Response-On-Write"), "false")
}

// Binary reports whether the client accepts Cosmos DB's binary JSON: it asks for the format, or lists it as supported.
func (r *Request) Binary() bool {
	if form := r.Header("X-Ms-Documentdb-Content-Serialization-Format"); form != "" {
		return strings.EqualFold(form, wire.FormatBinary)
	}
	formats := r.Header("X-Ms-Cosmos-Supported-Serialization-Formats")
	if formats == "" {
		return false
	}
	for format := range strings.SplitSeq(formats, ",") {
		if strings.EqualFold(strings.TrimSpace(format), wire.FormatBinary) {
			return true
		}
	}
	return false
}

// CheckFormat rejects a request for an unknown serialization format. Unknown formats in the list of supported ones are
// ignored.
func (r *Request) CheckFormat() *wire.Error {
	if form := r.Header("X-Ms-Documentdb-Content-Serialization-Format"); form != "" && !wire.IsOneOf(form, wire.FormatText,
		wire.FormatBinary) {
		return wire.InvalidInput("The serialization format %q is none of %s and %s.", form, wire.FormatText,
			wire.FormatBinary)
	}
	return nil
}
