package dynamo_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// apiOperation is an operation of the API as the AWS SDK has it.
type apiOperation struct {
	Name    string
	Input   reflect.Type // the structure of its members
	Known   bool         // the emulator answers it
	Cases   int          // in transcripts
	Ignored []string     // members that the emulator does not read
}

// operationsOf lists the operations of a client of the SDK and tries each.
func operationsOf(t *testing.T, client any, service string) []apiOperation {
	t.Helper()
	c := newConversation(t)
	var all []apiOperation
	for m := range methods(reflect.TypeOf(client)) {
		if m.Type.NumIn() < 3 || m.Type.In(2).Kind() != reflect.Pointer || m.Type.In(2).Elem().Name() != m.Name+"Input" {
			continue
		}
		o := apiOperation{Name: m.Name, Input: m.Type.In(2).Elem()}
		answer := c.post(service+"."+o.Name, "{}").Body.String()
		if o.Known = !strings.Contains(answer, "#UnknownOperationException"); o.Known {
			o.Ignored = ignored(c, service+"."+o.Name, o.Input)
		}
		all = append(all, o)
	}
	names := make([]string, len(all))
	for i, o := range all {
		names[i] = o.Name
	}
	cases := transcriptCases(t, names)
	for i := range all {
		all[i].Cases = cases[all[i].Name]
	}
	return all
}

// methods yields the exported methods of a type, in the order of their names.
func methods(t reflect.Type) func(yield func(reflect.Method) bool) {
	return func(yield func(reflect.Method) bool) {
		for i := range t.NumMethod() {
			if !yield(t.Method(i)) {
				return
			}
		}
	}
}

// ignored lists the members that an operation does not read: those that may be of a wrong JSON type.
func ignored(c *conversation, target string, input reflect.Type) []string {
	var names []string
	for f := range fields(input) {
		answer := c.post(target, fmt.Sprintf(`{%q: %s}`, f.Name, wrongFor(f.Type))).Body.String()
		if !strings.Contains(answer, "#SerializationException") {
			names = append(names, f.Name)
		}
	}
	return names
}

// fields yields the exported fields of a structure.
func fields(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && !yield(f) {
				return
			}
		}
	}
}

// wrongFor is JSON that a field of a type cannot be.
func wrongFor(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Map || t.Kind() == reflect.Struct {
		return `"text"`
	}
	return `{}`
}

// subject is what a group of operations is about, and a text that is in their names.
type subject struct {
	Name     string
	has      []string
	Missing  []string
	elsewise bool // it takes all that no other has
}

// missingBySubject groups the names of the operations that the emulator does not know.
func missingBySubject(all []apiOperation) []subject {
	subjects := []subject{
		{Name: "PartiQL", has: []string{"ExecuteStatement", "ExecuteTransaction"}},
		{Name: "Backups and point-in-time recovery", has: []string{"Backup", "PointInTime"}},
		{Name: "Exports and imports", has: []string{"Export", "Import"}},
		{Name: "Bulk operations", has: []string{"Bulk"}},
		{Name: "Global tables", has: []string{"GlobalTable", "Replica"}},
		{Name: "Kinesis destinations", has: []string{"Kinesis"}},
		{Name: "Resource policies", has: []string{"ResourcePolicy"}},
		{Name: "Contributor insights", has: []string{"ContributorInsights"}},
		{Name: "Vectors", has: []string{"Vector"}},
		{Name: "Other operations", elsewise: true},
	}
	for _, o := range all {
		if o.Known {
			continue
		}
		i := slices.IndexFunc(subjects, func(s subject) bool { return s.takes(o.Name) })
		subjects[i].Missing = append(subjects[i].Missing, o.Name)
	}
	return slices.DeleteFunc(subjects, func(s subject) bool { return len(s.Missing) == 0 })
}

func (s subject) takes(name string) bool {
	return s.elsewise || slices.ContainsFunc(s.has, func(part string) bool { return strings.Contains(name, part) })
}
