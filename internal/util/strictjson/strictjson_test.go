package strictjson

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDuplicateFieldsAreRefused(t *testing.T) {
	t.Parallel()
	for text, good := range map[string]bool{
		`{"name":"a","Other":1}`:                   true,
		`{"name":"a","name":"b"}`:                  true, // the last one counts, for both
		`{"name":"a","NAME":"b"}`:                  false,
		`{"in":{"name":"a","Name":"b"}}`:           false,
		`[{"x":1},{"X":1}]`:                        true,
		`[[{"x":1,"X":2}]]`:                        false,
		"{\"kind\":1,\"\u212aind\":2}":             false, // the Kelvin sign folds to k
		"{\"s\":1,\"\u017f\":2}":                   false, // so does the long s to s
		strings.Repeat("[", 100_000):               false,
		`{"name":`:                                 false,
		strings.Repeat(`{"a":`, 5) + "1" + "}}}}}": true,
	} {
		var v any
		if err := Unmarshal([]byte(text), &v); (err == nil) != good {
			t.Errorf("%.80s: %v", text, err)
		}
	}
}

// FuzzUnmarshal checks that in accepted texts a struct never gets a different value than the validated map.
func FuzzUnmarshal(f *testing.F) {
	f.Add(`{"name":"a","NAME":"b"}`)
	f.Add("{\"kind\":\"1\",\"\u212aind\":\"2\"}")
	f.Fuzz(func(t *testing.T, text string) {
		var whole any
		if Unmarshal([]byte(text), &whole) != nil {
			return
		}
		var used struct{ Name, Kind, Class *string }
		if json.Unmarshal([]byte(text), &used) != nil {
			return
		}
		object, _ := whole.(map[string]any)
		for field, value := range map[string]*string{"name": used.Name, "kind": used.Kind, "class": used.Class} {
			for key, checked := range object {
				if text, ok := checked.(string); ok && strings.EqualFold(key, field) && (value == nil || *value != text) {
					t.Errorf("%q: %s is checked as %q", text, field, checked)
				}
			}
		}
	})
}
