// Package strictjson reads the JSON of requests so that no field is there twice.
//
// Huma checks a body as a map and then decodes it into a struct, and encoding/json takes a field whatever its case: of
// "name" and "NAME" one would be checked and the other one used.
package strictjson

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Formats are huma's for JSON, but that a body in which names of an object differ in nothing, or in case alone, is
// refused.
func Formats() map[string]huma.Format {
	format := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: Unmarshal}
	return map[string]huma.Format{"application/json": format, "json": format}
}

// Unmarshal is json.Unmarshal that refuses names which differ in case alone. Of the same name twice the last one
// counts, for the check as for the use.
func Unmarshal(data []byte, v any) error {
	if err := json.Unmarshal(data, v); err != nil {
		return err
	}
	if whole, ok := v.(*any); ok { // what is to be checked; a struct is decoded after it
		return once(*whole)
	}
	return nil
}

// once looks for names of one object that are one to encoding/json.
func once(v any) error {
	switch v := v.(type) {
	case map[string]any:
		seen := make(map[string]bool, len(v))
		for name, member := range v {
			folded := fold(name)
			if seen[folded] {
				return fmt.Errorf("a field is there twice, in another case: %.64q", name)
			}
			seen[folded] = true
			if err := once(member); err != nil {
				return err
			}
		}
	case []any:
		for _, member := range v {
			if err := once(member); err != nil {
				return err
			}
		}
	}
	return nil
}

// fold gives names that encoding/json takes for one the same text: Unicode's simple folding, as strings.EqualFold has
// it.
func fold(name string) string { return strings.ToLower(strings.ToUpper(name)) }
