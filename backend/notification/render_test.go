package notification

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// rendered is a case in testdata/render.json.
type rendered struct {
	EventType EventType       `json:"eventType"`
	Payload   json.RawMessage `json:"payload"`
	Category  Category        `json:"category"`
	Title     string          `json:"title"`
	Body      string          `json:"body"`
	Deeplink  string          `json:"deeplink"`
}

// TestRender checks the notification of each of the twelve types against testdata/render.json (NT-R5).
func TestRender(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/render.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []rendered
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	told := map[EventType]bool{}
	for _, c := range cases {
		told[c.EventType] = true
		e := Event{ID: "e1", UserID: "ana", EventType: c.EventType, Payload: Payload(c.Payload)}
		if err := e.Payload.check(c.EventType); err != nil {
			t.Errorf("%s: %v", c.EventType, err)
			continue
		}
		e.Category, _ = CategoryOf(c.EventType)
		n := render(e, moment(start()))
		if n.Category != c.Category || n.Title != c.Title || n.Body != c.Body || n.Deeplink != c.Deeplink || n.ID != "e1" ||
			n.Read || n.Dismissed {
			t.Errorf("%s %s: %+v", c.EventType, c.Payload, n)
		}
	}
	if len(told) != 12 || len(EventTypes()) != 12 || len(AllCategories()) != 5 {
		t.Errorf("%d types are told, of %d in %d categories", len(told), len(EventTypes()), len(AllCategories()))
	}
}

// TestPayloads checks that invalid payloads are refused (NT-R11).
func TestPayloads(t *testing.T) {
	t.Parallel()
	for text, valid := range map[string]bool{
		`{"targetId":"p1","targetType":"post"}`:                                true,
		`{"targetId":"p1","targetType":"post","likes":17,"more":{"deep":[1]}}`: true,
		`{"targetId":"p1","targetType":"post","snippet":null}`:                 true,
		`{}`:                    false,
		`{"targetId":"p1"}`:     false,
		`{"targetType":"post"}`: false,
		`{"targetId":"p1","targetType":"planet"}`:                                                    false,
		`{"targetId":1,"targetType":"post"}`:                                                         false,
		`{"targetId":"../x","targetType":"post"}`:                                                    false,
		`{"targetId":"a/b","targetType":"post"}`:                                                     false,
		`{"targetId":"p1","targetType":"post","actorId":"a b"}`:                                      false,
		`{"targetId":"p1","targetType":"post","actorName":"` + strings.Repeat("n", 201) + `"}`:       false,
		`{"targetId":"p1","targetType":"post","snippet":"` + strings.Repeat("s", 2001) + `"}`:        false,
		`{"targetId":"p1","targetType":"post","anything":"` + strings.Repeat("s", maxPayload) + `"}`: false,
	} {
		if err := Payload(text).check(PostLike); (err == nil) != valid {
			t.Errorf("%.60s: %v", text, err)
		}
	}
	if err := Payload(nil).check(SecurityPasswordChanged); err != nil {
		t.Errorf("a password changes without a target: %v", err)
	}
}

// TestDocumentsWriteNull checks that absent fields are null (NT-D2), and that numbers of the payload stay as sent.
func TestDocumentsWriteNull(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]any{
		`"revokedAt":null`:                 Device{},
		`"nextRetryAt":null`:               Event{},
		`"dedupeKey":null`:                 Event{},
		`"readAt":null`:                    Notification{},
		`"targetId":null`:                  Notification{},
		`"payload":{"n":9007199254740993}`: Event{Payload: Payload(`{ "n" : 9007199254740993 }`)},
	} {
		text, err := json.Marshal(document)
		if err != nil || !strings.Contains(string(text), name) {
			t.Errorf("%s is not in %s %v", name, text, err)
		}
	}
	var e Event
	if err := json.Unmarshal([]byte(`{"nextRetryAt":null,"lastError":null}`), &e); err != nil || e.NextRetryAt != "" ||
		e.LastError != "" {
		t.Errorf("%+v %v", e, err)
	}
}

// FuzzRender checks that no payload leads to control characters, excessive length or a foreign link.
func FuzzRender(f *testing.F) {
	f.Add(`{"actorName":"Bob","targetId":"p1","targetType":"post","snippet":"hi"}`, 0)
	f.Add(`{"actorName":"\u202eboB\n","targetId":"p1","targetType":"user","actorId":"x"}`, 4)
	f.Fuzz(func(t *testing.T, payload string, number int) {
		types := EventTypes()
		e := Event{UserID: "ana", EventType: types[uint(number)%uint(len(types))], Payload: Payload(payload)}
		if !json.Valid([]byte(payload)) || e.Payload.check(e.EventType) != nil {
			return
		}
		n := render(e, moment(start()))
		link, ok := strings.CutPrefix(n.Deeplink, "asora://")
		if kind, id, _ := strings.Cut(link, "/"); !ok || strings.Contains(id, "/") || id == "" || kind != "post" &&
			kind != "comment" && kind != "user" {
			t.Errorf("link %q", n.Deeplink)
		}
		if strings.ContainsFunc(n.Body, unicode.IsControl) || !utf8.ValidString(n.Body) ||
			utf8.RuneCountInString(n.Body) > maxName+maxSnippetLength+60 {
			t.Errorf("body %q", n.Body)
		}
	})
}
