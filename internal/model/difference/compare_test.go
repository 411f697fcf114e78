package difference

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
				compared := Comparison{Operation: c.Operation, Capacity: c.Capacity}
				compared.Bodies([]byte(a), []byte(b))
				var all []string
				for _, d := range compared.Found {
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
		same := Comparison{Operation: operation}
		if same.Bodies([]byte(a), []byte(a)); len(same.Found) > 0 {
			t.Errorf("%s differs from itself: %v", a, same.Found)
		}
		other := Comparison{Operation: operation, Capacity: true}
		other.Bodies([]byte(a), []byte(b))
	})
}
