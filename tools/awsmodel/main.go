// Command awsmodel prints the request shapes of an AWS service, the part of the model of AWS's SDKs that tests need. It
// reads a service-2.json of botocore from standard input, and omits documentation, responses and errors.
//
//	go run ./tools/awsmodel < service-2.json > emulator/internal/dynamo/testdata/model/dynamodb.json
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// model is a service-2.json.
type model struct {
	Operations map[string]struct{ Input reference }
	Shapes     map[string]shape
}

type reference struct {
	Shape string `json:"shape"`
}

// shape is a type of the model, with its constraints.
type shape struct {
	Type     string               `json:"type"`
	Members  map[string]reference `json:"members,omitempty"`
	Required []string             `json:"required,omitempty"`
	Member   *reference           `json:"member,omitempty"` // of a list
	Key      *reference           `json:"key,omitempty"`    // of a map
	Value    *reference           `json:"value,omitempty"`
	Enum     []string             `json:"enum,omitempty"`
	Min      *int64               `json:"min,omitempty"`
	Max      *int64               `json:"max,omitempty"`
	Pattern  string               `json:"pattern,omitempty"`
}

func main() {
	if err := reduce(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "awsmodel:", err)
		os.Exit(1)
	}
}

// reduce writes the operations and the shapes of their requests, one per line.
func reduce(from io.Reader, to io.Writer) error {
	var m model
	if err := json.NewDecoder(from).Decode(&m); err != nil {
		return fmt.Errorf("no service-2.json on standard input: %w", err)
	}
	inputs, used := map[string]string{}, map[string]shape{}
	for name, operation := range m.Operations {
		inputs[name] = operation.Input.Shape
		m.collect(operation.Input.Shape, used)
	}
	fmt.Fprint(to, "{\"operations\": {\n")
	writeLines(to, inputs)
	fmt.Fprint(to, "},\n\"shapes\": {\n")
	writeLines(to, used)
	_, err := fmt.Fprint(to, "}}\n")
	return err
}

// collect adds a shape and all shapes that it refers to.
func (m *model) collect(name string, used map[string]shape) {
	if _, ok := used[name]; ok || name == "" {
		return
	}
	s := m.Shapes[name]
	used[name] = s
	for _, member := range s.Members {
		m.collect(member.Shape, used)
	}
	for _, part := range []*reference{s.Member, s.Key, s.Value} {
		if part != nil {
			m.collect(part.Shape, used)
		}
	}
}

// writeLines writes the entries of an object, sorted, one per line.
func writeLines[T any](to io.Writer, all map[string]T) {
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i > 0 {
			fmt.Fprint(to, ",\n")
		}
		value, _ := json.Marshal(all[name]) // cannot fail: strings, numbers, and maps and slices of them
		fmt.Fprintf(to, "%q: %s", name, value)
	}
	fmt.Fprintln(to)
}
