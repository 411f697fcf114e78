package kms_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/kms"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/transcript"
)

// testService is a new service, whose clock is stopped at noon.
type testService struct {
	service *kms.Service
	store   *store.Store
	clock   *clock.Clock
	held    transcript.Memory // members of responses that later requests name as $Member
}

func newTestService(t testing.TB) *testService {
	t.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &testService{store: s, clock: clock.Manual(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)),
		held: transcript.Memory{}}
	if d.service, err = kms.New(kms.Config{Store: s, Clock: d.clock, Seed: 1}); err != nil {
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

// TestTranscripts runs conversations with the service. "advance" moves the clock by a number of days. A request may
// name a member of an earlier response as $Member.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	transcript.Run(t, func(t testing.TB) transcript.Partner {
		d := newTestService(t)
		return transcript.Partner{Advance: d.advance, Reload: d.service.Reload, Say: d.say}
	})
}

func (d *testService) advance(t testing.TB, days string) {
	t.Helper()
	var n float64
	if _, err := fmt.Sscan(days, &n); err != nil {
		t.Fatal(err)
	}
	if err := d.clock.Advance(time.Duration(n * 24 * float64(time.Hour))); err != nil {
		t.Fatal(err)
	}
}

func (d *testService) post(operation, body string) *httptest.ResponseRecorder {
	return d.postAs("test/20261121/us-east-1", operation, body)
}

// postAs sends a request like an SDK, with a credential of that key, day and region.
func (d *testService) postAs(credential, operation, body string) *httptest.ResponseRecorder {
	return transcript.Post(d.service, transcript.JSON, kms.TargetPrefix+operation, credential+"/kms", body)
}

func (d *testService) say(t testing.TB, operation, request string) string {
	t.Helper()
	w := d.post(operation, d.held.Fill(request))
	if w.Body.Len() == 0 {
		return fmt.Sprintf("%d\n", w.Code)
	}
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s %s: %v", operation, request, err)
	}
	if kind, ok := answer["__type"]; ok {
		return strings.TrimSuffix(fmt.Sprintf("%v: %v", kind, orEmpty(answer["message"])), ": ") + "\n"
	}
	d.hold(answer)
	text, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

func orEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}

// secrets are members that differ in every run.
var secrets = map[string]bool{"CiphertextBlob": true, "Plaintext": true, "Mac": true}

// hold records the texts of a response by name, and removes what differs in each run.
func (d *testService) hold(answer map[string]any) {
	for name, value := range answer {
		switch v := value.(type) {
		case string:
			d.held[name] = v
			if secrets[name] {
				answer[name] = fmt.Sprintf("%d characters", len(v))
			}
		case map[string]any:
			d.hold(v)
		}
	}
}
