package recording

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 6000000, time.UTC)

// record returns the recording of some entries.
func record(t testing.TB, entries ...Entry) string {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{Version: "1.2.3", Start: start, Seed: 1<<64 - 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		w.Add(e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// all reads a recording to its end.
func all(text string) ([]Entry, error) {
	r, err := NewReader(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for {
		e, err := r.Next()
		if err == io.EOF {
			return entries, nil
		}
		if err != nil {
			return entries, err
		}
		entries = append(entries, *e)
	}
}

// get returns a request as observers see it.
func get() Entry {
	return Entry{
		Time: start, Micros: 90, Service: "dynamodb", Operation: "GetItem", AccessKey: "desk", Status: 200,
		Request: []byte(`{ "TableName": "orders",` + "\n" + ` "Key": {"id": {"S": "1"}} }`),
		Answer:  []byte(`{"Item":{"id":{"S":"1"}}}`),
		Authorization: []Access{{Action: "dynamodb:GetItem", Resource: "arn:aws:dynamodb:us-east-1:000000000000:table/orders",
			Context: map[string][]string{"dynamodb:LeadingKeys": {"1"}}}},
	}
}

func TestARecordingIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	broken := Entry{Time: start, Service: "dynamodb", Status: 400, Error: "SerializationException",
		Request: []byte("{\"a\":\xff"), Answer: []byte(`{"__type":"x"}`)}
	empty := Entry{Time: start, Service: "dynamodb", Status: 500, Lost: true}
	text := record(t, get(), broken, empty)
	if lines := strings.Count(text, "\n"); lines != 4 {
		t.Errorf("%d lines:\n%s", lines, text)
	}
	want := []Entry{get(), broken, empty}
	want[0].Request = []byte(`{"TableName":"orders","Key":{"id":{"S":"1"}}}`)
	want[1].Request, want[1].RequestBytes = nil, broken.Request
	for i := range want {
		want[i].N = int64(i + 1)
	}
	got, err := all(text)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if string(got[1].Body()) != string(broken.Request) || string(got[0].Body()) != string(want[0].Request) {
		t.Error("a body is another one")
	}
}

func TestTheHeaderIsTheFirstLine(t *testing.T) {
	t.Parallel()
	const want = `{"tabletop":"recording","format":1,"version":"1.2.3","start":"2026-01-02T03:04:05.006Z","seed":18446744073709551615}` +
		"\n"
	if got := record(t); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestInvalidRecordingsAreRefusedWithTheirLine(t *testing.T) {
	t.Parallel()
	good := record(t, get())
	header, line, _ := strings.Cut(good, "\n")
	header += "\n"
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", "line 1: the file is empty"},
		"another file":   {"hello\n", "line 1: not a recording"},
		"other JSON":     {"{\"a\":1}\n", "line 1: not a recording"},
		"another format": {strings.Replace(header, `"format":1`, `"format":2`, 1), "line 1: the recording is of format 2"},
		"cut header":     {strings.TrimSpace(header), "line 1: the line is incomplete"},
		"cut line":       {header + line[:40], "line 2: the line is incomplete"},
		"not JSON":       {header + "hello\n", "line 2: "},
		"an empty line":  {header + line + "\n", "line 3: "},
		"unknown member": {header + strings.Replace(line, `"status"`, `"state"`, 1), `line 2: `},
		"twice a member": {header + strings.Replace(line, `"n":1`, `"n":1,"n":1`, 1), "line 2: "},
		"missing lines":  {header + strings.Replace(line, `"n":1`, `"n":3`, 1), "line 2: n is 3 after 0 requests"},
		"no time":        {header + `{"n":1}` + "\n", "line 2: time is missing"},
		"no service":     {header + strings.Replace(line, `"dynamodb"`, `""`, 1), "line 2: service is missing"},
		"negative":       {header + strings.Replace(line, `"micros":90`, `"micros":-1`, 1), "line 2: micros is -1"},
		"status":         {header + strings.Replace(line, `"status":200`, `"status":20`, 1), "line 2: status is 20"},
		"no request":     {header + strings.Replace(line, `"request":`, `"answer":null,"request":null,"x":`, 1), "line 2: "},
		"two requests": {header + strings.Replace(line, `"n":1`, `"n":1,"requestBytes":"AAAA"`, 1),
			"line 2: both request and"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := all(c.text); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// TestAddersShareAWriter adds more entries concurrently than the queue holds; every entry is there, numbered without
// gaps.
func TestAddersShareAWriter(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w, err := NewWriter(&out, Header{Start: start})
	if err != nil {
		t.Fatal(err)
	}
	big := get()
	big.Request = []byte(`{"x":"` + strings.Repeat("x", maxQueued/8) + `"}`)
	var adders sync.WaitGroup
	for range 4 {
		adders.Go(func() {
			for range 3 {
				w.Add(big)
			}
		})
	}
	adders.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w.Add(big) // too late
	if entries, err := all(out.String()); err != nil || len(entries) != 12 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

func TestWriteErrorsAreReported(t *testing.T) {
	t.Parallel()
	if _, err := NewWriter(failing{}, Header{}); err == nil {
		t.Error("the header was not written, and nothing said so")
	}
	w, err := NewWriter(iotest.TruncateWriter(io.Discard, 1<<20), Header{})
	if err != nil || w.Close() != nil || w.Close() != nil {
		t.Error(err)
	}
	w, err = NewWriter(&afterHeader{}, Header{})
	if err != nil {
		t.Fatal(err)
	}
	w.Add(get())
	if err := w.Close(); err == nil || err.Error() != "full" {
		t.Errorf("%v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

type afterHeader struct{ n int }

func (a *afterHeader) Write(p []byte) (int, error) {
	if a.n++; a.n > 1 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

// FuzzReader checks that reading any file ends with entries or an error with its line, and that entries are written as
// they were read.
func FuzzReader(f *testing.F) {
	f.Add(record(f, get(), Entry{Time: start, Service: "dynamodb", Status: 400, Request: []byte("no")}))
	f.Add(record(f))
	f.Add("{}\n")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := all(text)
		var wrong *Error
		if err != nil && (!errors.As(err, &wrong) || wrong.Line < 1) {
			t.Fatalf("%v", err)
		}
		for i := range entries {
			e := entries[i]
			if e.Request == nil {
				e.Request, e.RequestBytes = e.RequestBytes, nil
			}
			if e.Request.IsValid() != (entries[i].Request != nil) {
				continue // not written by this package: JSON as bytes
			}
			again, err := all(record(t, e))
			if err != nil {
				t.Fatalf("%+v: %v", e, err)
			}
			again[0].N = entries[i].N
			if string(again[0].Body()) != string(compacted(&entries[i])) || again[0].Status != e.Status ||
				!again[0].Time.Equal(e.Time) {
				t.Fatalf("%+v became %+v", entries[i], again[0])
			}
		}
	})
}

func compacted(e *Entry) []byte {
	if e.Request == nil {
		return e.RequestBytes
	}
	text := e.Request.Clone()
	_ = text.Compact() // it is JSON
	return text
}

// BenchmarkEncode measures the work of the writing goroutine.
func BenchmarkEncode(b *testing.B) {
	e := get()
	e.Answer = []byte(`{"Item":{"x":{"S":"` + strings.Repeat("x", 1000) + `"}}}`)
	var line []byte
	for b.Loop() {
		line = appendEntry(line[:0], &e)
	}
}

func BenchmarkAdd(b *testing.B) {
	w, err := NewWriter(io.Discard, Header{})
	if err != nil {
		b.Fatal(err)
	}
	e := get()
	e.Answer = []byte(`{"Item":{"x":{"S":"` + strings.Repeat("x", 1000) + `"}}}`)
	b.ReportAllocs()
	for b.Loop() {
		w.Add(e)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}
