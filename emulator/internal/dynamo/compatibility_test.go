package dynamo_test

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// compatibilityPage is the file that TestCompatibility writes.
const compatibilityPage = "../../../docs/compatibility.md"

// suiteTests is the number of tests in nubo-db/dynamodb-conformance.
const suiteTests = 601

// compatibility is the content of the page.
type compatibility struct {
	Operations  []apiOperation
	Missing     []subject
	Streams     []apiOperation
	Limits      []limit
	Differences []difference
	SuiteTests  int
	Suite       []suiteCase
}

// TestCompatibility checks every statement of docs/compatibility.md: operations, limits, differences from the service.
// `go test -run TestCompatibility -rewrite` in this folder rewrites the page.
func TestCompatibility(t *testing.T) {
	t.Parallel()
	operations := operationsOf(t, &dynamodb.Client{}, "DynamoDB_20120810")
	page := render(t, compatibility{
		Operations:  operations,
		Missing:     missingBySubject(operations),
		Streams:     operationsOf(t, &dynamodbstreams.Client{}, "DynamoDBStreams_20120810"),
		Limits:      runLimits(t),
		Differences: runDifferences(t),
		SuiteTests:  suiteTests,
		Suite:       runSuiteCases(t),
	})
	if flag.Lookup("rewrite").Value.String() == "true" {
		if err := os.WriteFile(compatibilityPage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if written, err := os.ReadFile(compatibilityPage); err != nil || string(written) != page {
		t.Errorf("docs/compatibility.md does not tell what the emulator does (%v): go test ./emulator/internal/dynamo -run TestCompatibility -rewrite",
			err)
	}
}

func render(t *testing.T, c compatibility) string {
	t.Helper()
	text := template.New("compatibility.md.tmpl").Funcs(template.FuncMap{
		"join":   strings.Join,
		"number": grouped,
		"cell":   cell,
		"code":   code,
		"minus":  func(a, b int) int { return a - b },
		"known":  known,
	})
	text, err := text.ParseFiles("testdata/compatibility.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := text.Execute(&page, c); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// known counts the operations that the emulator supports.
func known(all []apiOperation) int {
	n := 0
	for _, o := range all {
		if o.Known {
			n++
		}
	}
	return n
}

// code formats names as code, separated by commas.
func code(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

// cell formats a text as a table cell.
func cell(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "|", `\|`) }

// grouped formats a number with thousands separators.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
