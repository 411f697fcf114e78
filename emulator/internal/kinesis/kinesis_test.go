package kinesis

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/transcript"
)

// testService is a new service, whose clock is stopped at noon.
type testService struct {
	service *Service
	store   *store.Store
	clock   *clock.Clock
	held    transcript.Memory // members of responses that later requests name as $Member
	cbor    bool              // requests are sent in CBOR; otherwise in JSON
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func newTestService(t testing.TB) *testService {
	t.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &testService{store: s, clock: clock.Manual(noon), held: transcript.Memory{}}
	if d.service, err = New(Config{Store: s, Clock: d.clock, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.service.Close(); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// TestTranscripts runs conversations with the service. A request may name a member of an earlier response as $Member.
func TestTranscripts(t *testing.T) { runTranscripts(t, false) }

// TestTranscriptsInCBOR checks that the same requests in CBOR have the same responses.
func TestTranscriptsInCBOR(t *testing.T) { runTranscripts(t, true) }

func runTranscripts(t *testing.T, inCBOR bool) {
	t.Parallel()
	transcript.Run(t, func(t testing.TB) transcript.Partner {
		d := newTestService(t)
		d.cbor = inCBOR
		return transcript.Partner{Advance: d.advance, Reload: d.service.Reload, Say: d.say}
	})
}

func (d *testService) advance(t testing.TB, by string) {
	t.Helper()
	transcript.Advance(t, d.clock, by)
}

func (d *testService) post(operation, body string) *httptest.ResponseRecorder {
	form := jsonCodec
	if d.cbor {
		form, body = cborCodec, toCBOR(body)
	}
	return transcript.Post(d.service, form.contentType, TargetPrefix+operation, "test/20261121/us-east-1/kinesis", body)
}

func (d *testService) say(t testing.TB, operation, request string) string {
	t.Helper()
	w := d.post(operation, d.held.Fill(request))
	if w.Body.Len() == 0 {
		return fmt.Sprintf("%d\n", w.Code)
	}
	body := w.Body.Bytes()
	if d.cbor {
		body = toJSON(t, body)
	}
	var answer map[string]any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil {
		t.Fatalf("%s %s: %v", operation, request, err)
	}
	if kind, ok := answer["__type"]; ok {
		message, _ := answer["message"].(string)
		return strings.TrimSuffix(fmt.Sprintf("%v: %s", kind, message), ": ") + "\n"
	}
	d.hold(answer)
	text, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// hold records the texts of a response by name.
func (d *testService) hold(answer map[string]any) {
	for name, value := range answer {
		if text, ok := value.(string); ok {
			d.held[name] = text
		}
		if name == "ShardIterator" || name == "NextShardIterator" {
			d.held["Iterator"] = value.(string)
			answer[name] = "some-iterator"
		}
	}
}

// TestTheSourceDeliversBeforeReads checks that a reader gets the source's records, with the source's times, and in
// order with records of requests.
func TestTheSourceDeliversBeforeReads(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	var pending []string
	d.service.DeliverFrom(func(_ context.Context, account, arn string) error {
		st, ok := d.service.OpenStream(account, arn)
		if !ok {
			return nil
		}
		defer st.Close()
		return d.store.Update(store.Latch().Within(st.Gate()), func(tx *store.Tx) error {
			for _, data := range pending {
				if err := st.Append(tx, "key", []byte(data), noon); err != nil {
					return err
				}
			}
			pending = nil
			return nil
		})
	})
	d.say(t, "CreateStream", `{"StreamName":"changes","ShardCount":1}`)
	d.say(t, "GetShardIterator",
		`{"StreamName":"changes","ShardId":"shardId-000000000000","ShardIteratorType":"TRIM_HORIZON"}`)
	pending = []string{"a", "b"}
	d.advance(t, "1m")
	d.say(t, "PutRecord", `{"StreamName":"changes","PartitionKey":"k","Data":"eA=="}`)
	pending = []string{"c"}
	var out getRecordsOutput
	answer := d.post("GetRecords", `{"ShardIterator":"`+d.held["Iterator"]+`"}`)
	if err := json.Unmarshal(answer.Body.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range out.Records {
		at := time.UnixMilli(int64(r.ApproximateArrivalTimestamp * 1000))
		got = append(got, fmt.Sprintf("%s %v", r.Data, at.Sub(noon)))
	}
	// c is older than x, but was delivered after it: its time is that of its position.
	if want := "[a 0s b 0s x 1m0s c 1m0s]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestExpiredRecordsAreRemoved checks that the store does not keep records that cannot be read.
func TestExpiredRecordsAreRemoved(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.say(t, "CreateStream", `{"StreamName":"changes"}`)
	d.say(t, "PutRecord", `{"StreamName":"changes","PartitionKey":"k","Data":"eA=="}`)
	l := d.service.accounts[""].streams["changes"].logs[0]
	d.advance(t, "24h")
	if _, ok, err := l.First(); !ok || err != nil {
		t.Errorf("removed while it can be read (%v)", err)
	}
	d.advance(t, "2h")
	if _, ok, err := l.First(); ok || err != nil {
		t.Errorf("not removed (%v)", err)
	}
}

// FuzzIterator checks that an accepted iterator has only one text.
func FuzzIterator(f *testing.F) {
	f.Add(iterator{stream: "changes", firstID: 1 << 30, shard: 3, next: 7, issued: noon}.encode())
	f.Add("")
	f.Add("AQ==")
	f.Fuzz(func(t *testing.T, text string) {
		if i, ok := decodeIterator(text); ok && i.encode() != text {
			t.Errorf("%q is an iterator whose text is %q", text, i.encode())
		}
	})
}

// FuzzSequenceNumber checks that a number accepted as one of the stream is the number of its position and shard.
func FuzzSequenceNumber(f *testing.F) {
	st := &stream{Name: "changes", Shards: 4, Created: 1795262400}
	f.Add(st.sequenceNumber(0, 0))
	f.Add(st.sequenceNumber(3, 1795262400000000001))
	f.Add("-1")
	f.Add("0")
	f.Fuzz(func(t *testing.T, number string) {
		p, shard, own, ok := st.parseSequence(number)
		if !ok || !own || shard >= st.Shards {
			return
		}
		again, sameShard, _, ok := st.parseSequence(st.sequenceNumber(shard, p))
		if !ok || again != p || sameShard != shard {
			t.Errorf("%s is position %d of shard %d, and its number position %d of shard %d", number, p, shard, again, sameShard)
		}
	})
}
