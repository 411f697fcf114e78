package kinesis

import (
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// codec is one of the two formats of requests and responses: AWS's JSON 1.1, or the same members in CBOR, which the SDK
// for Java uses by default.
type codec struct {
	contentType string
	decode      func(body []byte, in any) error
	encode      func(out any) ([]byte, error)
}

var (
	jsonCodec = codec{"application/x-amz-json-1.1", json.Unmarshal, json.Marshal}
	cborCodec = codec{"application/x-amz-cbor-1.1", decodeCBOR, cbor.Marshal}
)

// codecOf returns the format of a request and of its response.
func codecOf(r *http.Request) codec {
	if strings.Contains(r.Header.Get("Content-Type"), "cbor") {
		return cborCodec
	}
	return jsonCodec
}

// maxElements is the maximum number of elements of a list in CBOR, more than PutRecords accepts.
const maxElements = 4096

// decodeCBOR limits the memory that a hostile body can take beyond its size.
func decodeCBOR(body []byte, in any) error {
	mode, err := cbor.DecOptions{
		MaxNestedLevels: 16, MaxArrayElements: maxElements, MaxMapPairs: maxElements,
		FieldNameMatching: cbor.FieldNameMatchingCaseSensitive,
	}.DecMode()
	if err != nil {
		return err
	}
	return mode.Unmarshal(body, in)
}

// timestamp is a time in seconds since 1970, as in JSON.
type timestamp float64

// timestampOf returns a time, to the millisecond.
func timestampOf(at time.Time) timestamp { return timestamp(float64(at.UnixMilli()) / 1000) }

// milliseconds returns the nearest number of milliseconds since 1970.
func (t timestamp) milliseconds() float64 { return math.Round(float64(t) * 1000) }

// epoch is CBOR's tag of a time since 1970. (RFC 8949, section 3.4.2.)
const epoch = 1

// MarshalCBOR writes whole milliseconds, as AWS's CBOR does instead of seconds.
func (t timestamp) MarshalCBOR() ([]byte, error) {
	return cbor.Marshal(cbor.Tag{Number: epoch, Content: int64(t.milliseconds())})
}

// UnmarshalCBOR reads milliseconds, with or without the tag of a time.
func (t *timestamp) UnmarshalCBOR(data []byte) error {
	var tagged cbor.RawTag
	if err := cbor.Unmarshal(data, &tagged); err == nil && tagged.Number == epoch {
		data = tagged.Content
	}
	var ms float64
	err := cbor.Unmarshal(data, &ms)
	*t = timestamp(ms / 1000)
	return err
}
