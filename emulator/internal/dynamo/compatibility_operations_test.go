package dynamo_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// apiOperation is an operation of the API, as in the AWS SDK.
type apiOperation struct {
	Name    string
	Input   reflect.Type // the structure of its parameters
	Known   bool         // the emulator supports it
	Cases   int          // in transcripts
	Ignored []string     // members that the emulator ignores
}

// operationsOf returns the operations of an SDK client and tries each.
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
			if len(o.Ignored) > 0 {
				t.Errorf("%s ignores %v: a member works or is refused", o.Name, o.Ignored)
			}
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

// methods yields the exported methods of a type, sorted by name.
func methods(t reflect.Type) func(yield func(reflect.Method) bool) {
	return func(yield func(reflect.Method) bool) {
		for i := range t.NumMethod() {
			if !yield(t.Method(i)) {
				return
			}
		}
	}
}

// ignored returns the members that an operation ignores: those for which a wrong JSON type is no error.
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

// wrongFor returns JSON of the wrong type for a field.
func wrongFor(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Map || t.Kind() == reflect.Struct {
		return `"text"`
	}
	return `{}`
}

// subject is a group of operations whose names contain one of some words.
type subject struct {
	Name     string
	has      []string
	Missing  []string
	elsewise bool // the group of all other operations
}

// missingBySubject groups the operations that the emulator does not support.
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
