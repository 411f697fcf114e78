package dynamo_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// difference is an expected failure: a request that the emulator and the service answer differently.
type difference struct {
	Title              string
	Operation, Request string // the last one of a conversation
	Today              string // the emulator's response
	Service            string // the service's response; for JSON, the relevant members
	Source, Reason     string
}

// runDifferences runs the conversations of testdata/differences, one file for each difference. A difference that no
// longer exists fails the test.
func runDifferences(t *testing.T) []difference {
	t.Helper()
	var all []difference
	datadriven.Walk(t, "testdata/differences", func(t *testing.T, path string) {
		var d difference
		c := newConversation(t)
		datadriven.RunTest(t, path, func(t *testing.T, line *datadriven.TestData) string {
			text := strings.TrimSpace(line.Input)
			switch line.Cmd {
			case "difference":
				d.Title = text
			case "service":
				d.Service = text
			case "source":
				d.Source = text
			case "reason":
				d.Reason = text
			default:
				d.Operation, d.Request, d.Today = line.Cmd, text, c.say(t, line.Cmd, text)
				return d.Today
			}
			return ""
		})
		d.check(t, filepath.Base(path))
		all = append(all, d)
	})
	return all
}

func (d difference) check(t *testing.T, file string) {
	t.Helper()
	for name, text := range map[string]string{"difference": d.Title, "service": d.Service, "source": d.Source,
		"reason": d.Reason} {
		if text == "" {
			t.Errorf("testdata/differences/%s has no %s", file, name)
		}
	}
	if answersAs(d.Today, d.Service) {
		t.Errorf("the emulator answers as the service does now: make a transcript of testdata/differences/%s", file)
	}
}

// answersAs reports whether a response is the wanted error, or has the members of the wanted JSON object.
func answersAs(answer, wanted string) bool {
	var has, wants any
	if json.Unmarshal([]byte(answer), &has) != nil || json.Unmarshal([]byte(wanted), &wants) != nil {
		return strings.TrimSpace(answer) == wanted
	}
	return includes(has, wants)
}

func includes(has, wants any) bool {
	object, ok := wants.(map[string]any)
	if !ok {
		return reflect.DeepEqual(has, wants)
	}
	other, ok := has.(map[string]any)
	for name, value := range object {
		ok = ok && includes(other[name], value)
	}
	return ok
}

// suiteCase is a test of nubo-db/dynamodb-conformance that expects another message than the service now has.
type suiteCase struct{ Name, Expects, Today string }

// runSuiteCases runs the requests of testdata/conformance. A case that the suite would now pass fails the test.
func runSuiteCases(t *testing.T) []suiteCase {
	t.Helper()
	var all []suiteCase
	c := newConversation(t)
	datadriven.RunTest(t, "testdata/conformance", func(t *testing.T, line *datadriven.TestData) string {
		text := strings.TrimSpace(line.Input)
		var last *suiteCase
		if len(all) > 0 {
			last = &all[len(all)-1]
		}
		passes := false
		switch line.Cmd {
		case "test":
			all = append(all, suiteCase{Name: text})
		case "expects":
			last.Expects, passes = text, text == last.Today
		case "expects-part":
			last.Expects, passes = "… "+text+" …", strings.Contains(last.Today, text)
		default:
			answer := c.say(t, line.Cmd, text)
			last.Today = strings.TrimSpace(answer)
			return answer
		}
		if passes {
			t.Errorf("%s would pass: take it out of testdata/conformance", last.Name)
		}
		return ""
	})
	return all
}

// transcriptCases counts the cases of each operation in the transcripts.
func transcriptCases(t *testing.T, operations []string) map[string]int {
	t.Helper()
	files, err := filepath.Glob("testdata/transcripts/*")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			lines[strings.TrimSpace(line)]++
		}
	}
	cases := map[string]int{}
	for _, operation := range operations {
		cases[operation] = lines[operation]
	}
	return cases
}
