package replay

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

func TestResponsesAreComparedByMeaning(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/compare.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name, Operation, Recorded, Answered string
		Capacity                            bool
		Differ                              []string
	}
	if err := yaml.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			differ := func(a, b string) []string {
				compared := comparison{operation: c.Operation, capacity: c.Capacity}
				compared.bodies([]byte(a), []byte(b))
				var all []string
				for _, d := range compared.found {
					all = append(all, d.Path+": "+d.Recorded+" → "+d.Answered)
				}
				return all
			}
			if diff := cmp.Diff(c.Differ, differ(c.Recorded, c.Answered)); diff != "" {
				t.Error(diff)
			}
			if (len(differ(c.Answered, c.Recorded)) == 0) != (len(c.Differ) == 0) {
				t.Error("the other way round it is otherwise")
			}
			for _, same := range []string{c.Recorded, c.Answered} {
				if found := differ(same, same); found != nil {
					t.Errorf("%s differs from itself: %v", same, found)
				}
			}
		})
	}
}

// FuzzCompare checks that no response differs from itself or makes the comparison fail.
func FuzzCompare(f *testing.F) {
	f.Add("Scan", `{"Items":[{"k":{"SS":["a","b"]}},{}],"Count":2}`, `{"Items":[]}`)
	f.Add("GetItem", `[1,{"a":null}]`, "")
	f.Fuzz(func(t *testing.T, operation, a, b string) {
		same := comparison{operation: operation}
		if same.bodies([]byte(a), []byte(a)); len(same.found) > 0 {
			t.Errorf("%s differs from itself: %v", a, same.found)
		}
		other := comparison{operation: operation, capacity: true}
		other.bodies([]byte(a), []byte(b))
	})
}

func TestRequestsAreTranslated(t *testing.T) {
	t.Parallel()
	var c generatedValues
	c.learn("old", "new")
	for request, want := range map[string]string{
		`{"ShardIterator":"old","Limit":1}`: `{"ShardIterator":"new","Limit":1}`,
		`{ "ShardIterator": "other" }`:      `{ "ShardIterator": "other" }`,
		`{"Item":{"id":{"S":"old"}}}`:       `{"Item":{"id":{"S":"old"}}}`,
		`{"old":"old","a":["old"]}`:         `{"old":"new","a":["old"]}`,
		`{"ShardIterator":"old"`:            `{"ShardIterator":"old"`,
		``:                                  ``,
	} {
		if got := string(c.translate([]byte(request))); got != want {
			t.Errorf("%s becomes %s, want %s", request, got, want)
		}
	}
}
