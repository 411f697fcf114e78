package recording

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// TestLinesAreThoseOfMarshal compares lines with what json.Marshal writes, for entries in which each field has a value,
// and for the empty one.
func TestLinesAreThoseOfMarshal(t *testing.T) {
	t.Parallel()
	full := Entry{N: 7, Time: start.Add(time.Nanosecond), Micros: 8, Service: "cosmos", Operation: "Create<é\n\"",
		Account: "a", AccessKey: "k", Principal: "p", Client: "c", Trace: "t", Method: "PUT", Path: "/dbs/a%20b",
		Headers:       map[string]string{"b": "2", "a": "\u2028", "c": ""},
		Authorization: []Access{{"x", "y", map[string][]string{"l": {"1", "2"}, "k": {}}}, {Action: "z"}},
		Request:       []byte(`{"a":1}`), Status: 404, Substatus: 1003, Error: "NotFound", Answer: []byte(`[null]`),
		AnswerHeaders: map[string]string{"etag": "e"},
		Consumed: []Consumed{{Table: "t", Index: "i", Write: true, Database: "d", Container: "c", Units: 10.29},
			{Units: 3}}, Lost: true, Console: true}
	bytes := full
	bytes.Request, bytes.RequestBytes = nil, []byte{0x80, 1}
	for _, v := range []reflect.Value{reflect.ValueOf(full), reflect.ValueOf(full.Consumed[0])} {
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; v.Field(i).IsZero() && name != "RequestBytes" {
				t.Errorf("%s has no value", name)
			}
		}
	}
	for _, e := range []Entry{full, bytes, {}} {
		want, err := json.Marshal(e, json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(appendEntry(nil, &e)); got != string(want)+"\n" {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// TestInvalidTextsDoNotEndARecording records texts that are not UTF-8, which a client can send in headers.
func TestInvalidTextsDoNotEndARecording(t *testing.T) {
	t.Parallel()
	bad := get()
	bad.Client, bad.AccessKey, bad.Headers = "agent \xff", "\xc3", map[string]string{"prefer": "\xfe"}
	entries, err := all(record(t, bad, get()))
	if err != nil || len(entries) != 2 || entries[0].Client != "agent \ufffd" ||
		entries[0].Headers["prefer"] != "\ufffd" || !strings.Contains(string(entries[0].Request), "orders") {
		t.Errorf("%v %+v", err, entries)
	}
}
