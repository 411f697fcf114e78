package cloudwatch

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/fxamacker/cbor/v2"
)

// codec is one of the wire protocols.
type codec interface {
	// operation returns the name of the requested operation.
	operation(r *http.Request) string
	decode(body []byte, in any) error
	// encode returns the body of a response.
	encode(operation, requestID string, out any) ([]byte, error)
	// encodeError returns the body of an error.
	encodeError(requestID string, e *Error) []byte
	// header sets the headers of every response; e is nil for a success.
	header(h http.Header, e *Error)
}

const rpcPath = "/service/GraniteServiceVersion20100801/operation/"

// codecOf returns the protocol of a request. body is needed for the query protocol, whose form names the operation.
func codecOf(r *http.Request, body []byte) codec {
	if strings.HasPrefix(r.URL.Path, rpcPath) {
		return cborCodec{}
	}
	if r.Header.Get("X-Amz-Target") != "" {
		return jsonCodec{}
	}
	form, err := url.ParseQuery(string(body))
	return &queryCodec{form: form, err: err}
}

// cborCodec is Smithy RPC v2 in CBOR.
type cborCodec struct{}

// cborMode limits how much memory a hostile body can take beyond its size.
func cborMode() (cbor.DecMode, error) {
	return cbor.DecOptions{
		MaxNestedLevels: 16, MaxArrayElements: 64 << 10, MaxMapPairs: 64 << 10,
		FieldNameMatching: cbor.FieldNameMatchingCaseSensitive,
	}.DecMode()
}

func (cborCodec) operation(r *http.Request) string { return strings.TrimPrefix(r.URL.Path, rpcPath) }

func (cborCodec) decode(body []byte, in any) error {
	if len(body) == 0 {
		return nil
	}
	mode, err := cborMode()
	if err != nil {
		return err
	}
	return mode.Unmarshal(body, in)
}

func (cborCodec) encode(_, _ string, out any) ([]byte, error) { return cbor.Marshal(out) }

func (cborCodec) encodeError(_ string, e *Error) []byte {
	body, err := cbor.Marshal(map[string]string{"__type": "com.amazonaws.cloudwatch#" + e.Shape, e.member(): e.Message})
	if err != nil {
		return nil
	}
	return body
}

func (cborCodec) header(h http.Header, e *Error) {
	h.Set("Content-Type", "application/cbor")
	h.Set("Smithy-Protocol", "rpc-v2-cbor")
	queryError(h, e)
}

// queryError sets the error's name in the query protocol, which SDKs use as its code.
func queryError(h http.Header, e *Error) {
	if e != nil {
		h.Set("x-amzn-query-error", e.Code+";"+e.fault())
	}
}

// jsonCodec is AWS's JSON 1.0.
type jsonCodec struct{}

func (jsonCodec) operation(r *http.Request) string {
	_, name, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	return name
}

func (jsonCodec) decode(body []byte, in any) error {
	if len(body) == 0 {
		return nil
	}
	return json.Unmarshal(body, in)
}

func (jsonCodec) encode(_, _ string, out any) ([]byte, error) { return json.Marshal(out) }

func (jsonCodec) encodeError(_ string, e *Error) []byte {
	body, err := json.Marshal(map[string]string{"__type": "com.amazonaws.cloudwatch#" + e.Shape, e.member(): e.Message})
	if err != nil {
		return nil
	}
	return body
}

func (jsonCodec) header(h http.Header, e *Error) {
	h.Set("Content-Type", "application/x-amz-json-1.0")
	queryError(h, e)
}
