package kinesis

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// toCBOR returns a request in CBOR as the SDK for Java encodes it: blobs as bytes, times as tagged milliseconds. A text
// that is not JSON is returned unchanged.
func toCBOR(request string) string {
	var in any
	if err := json.Unmarshal([]byte(request), &in); err != nil {
		return request
	}
	body, err := cbor.Marshal(convert("", in))
	if err != nil {
		return request
	}
	return string(body)
}

// convert converts the value of a member.
func convert(name string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for member := range v {
			v[member] = convert(member, v[member])
		}
	case []any:
		for i := range v {
			v[i] = convert("", v[i])
		}
	case string:
		if data, err := base64.StdEncoding.DecodeString(v); name == "Data" && err == nil {
			return data
		}
	case float64:
		if name == "Timestamp" {
			return cbor.Tag{Number: epoch, Content: int64(math.Round(v * 1000))}
		}
		if v == math.Trunc(v) {
			return int64(v)
		}
	}
	return value
}

// toJSON returns a response in JSON.
func toJSON(t testing.TB, answer []byte) []byte {
	t.Helper()
	mode, err := cbor.DecOptions{DefaultMapType: reflect.TypeFor[map[string]any]()}.DecMode()
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := mode.Unmarshal(answer, &out); err != nil {
		t.Fatalf("%x: %v", answer, err)
	}
	body, err := json.Marshal(inSeconds(out))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// inSeconds converts the times in a response. The library reads their milliseconds as seconds, because of the tag.
func inSeconds(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for member := range v {
			v[member] = inSeconds(v[member])
		}
	case []any:
		for i := range v {
			v[i] = inSeconds(v[i])
		}
	case time.Time:
		return timestamp(float64(v.Unix()) / 1000)
	}
	return value
}

// TestTimestampsInCBOR reads times as the SDK for Java sends them, and as other encoders may.
func TestTimestampsInCBOR(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1795262400123)
	for _, in := range []any{cbor.Tag{Number: epoch, Content: at.UnixMilli()}, at.UnixMilli(), float64(at.UnixMilli())} {
		body, err := cbor.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var got timestamp
		if err := decodeCBOR(body, &got); err != nil || got != timestampOf(at) {
			t.Errorf("%x is %v (%v), want %v", body, got, err, timestampOf(at))
		}
	}
}
