// Package strictjson decodes the JSON of requests and refuses fields that differ only in case.
//
// Huma validates a body as a map and then decodes it into a struct, and encoding/json matches field names regardless of
// case: of "name" and "NAME" one would be validated and the other one used.
package strictjson

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Formats returns huma's formats for JSON, which refuse a body with names in one object that differ only in case.
func Formats() map[string]huma.Format {
	format := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: Unmarshal}
	return map[string]huma.Format{"application/json": format, "json": format}
}

// Unmarshal is json.Unmarshal that refuses names in one object that differ only in case, if v is an *any. Of the same
// name twice the last one counts, when validating and when decoding.
func Unmarshal(data []byte, v any) error {
	if err := json.Unmarshal(data, v); err != nil {
		return err
	}
	if whole, ok := v.(*any); ok { // huma validates this value, and decodes a struct after it
		return checkUnique(*whole)
	}
	return nil
}

// checkUnique returns an error if an object has names that are the same to encoding/json.
func checkUnique(v any) error {
	switch v := v.(type) {
	case map[string]any:
		seen := make(map[string]bool, len(v))
		for name, member := range v {
			folded := fold(name)
			if seen[folded] {
				return fmt.Errorf("duplicate field, in another case: %.64q", name)
			}
			seen[folded] = true
			if err := checkUnique(member); err != nil {
				return err
			}
		}
	case []any:
		for _, member := range v {
			if err := checkUnique(member); err != nil {
				return err
			}
		}
	}
	return nil
}

// fold maps names that are the same to encoding/json to the same text: Unicode's simple folding, as in
// strings.EqualFold.
func fold(name string) string { return strings.ToLower(strings.ToUpper(name)) }
