package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/internal/explore"
)

// exploredTables is a table file for TestExploredCommand.
const exploredTables = "tables:\n  - name: counters\n    key: {partition: id}\n"

// TestExploredCommand is the command that the tests below explore: it adds one to a counter and expects 1.
func TestExploredCommand(t *testing.T) {
	t.Parallel()
	if _, explored := os.LookupEnv("TABLETOP_EXPLORE"); !explored {
		return // in the ordinary tests
	}
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out, err := dynamodb.NewFromConfig(cfg).UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName:                 aws.String("counters"),
		Key:                       map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}},
		UpdateExpression:          aws.String("ADD n :one"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
		ReturnValues:              types.ReturnValueAllNew,
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := out.Attributes["n"].(*types.AttributeValueMemberN).Value; n != "1" {
		t.Errorf("the counter is %s, want 1", n)
	}
}

// exploreCounter runs tabletop explore with flags on TestExploredCommand.
func exploreCounter(t *testing.T, dir string, flags ...string) outcome {
	t.Helper()
	tables := filepath.Join(dir, "tables.yaml")
	if err := os.WriteFile(tables, []byte(exploredTables), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"explore", "--runs", "8", "--tables", tables, "--out", filepath.Join(dir, "out")}, flags...)
	return runCommand(t.Context(), nil, append(args, "--", os.Args[0], "-test.run=^TestExploredCommand$")...)
}

// savedScenario runs the scenario of the first finding, and returns why it fails.
func savedScenario(t *testing.T, dir string) string {
	t.Helper()
	run, err := runner.Run(t.Context(), runner.Options{}, runner.Suite{Name: "finding",
		Files: os.DirFS(filepath.Join(dir, "out", "finding-1"))})
	if err != nil || len(run.Scenarios) != 1 {
		t.Fatalf("%d scenarios, %v", len(run.Scenarios), err)
	}
	return run.Scenarios[0].Reason
}

// TestExplore finds the counter that counts twice, runs the plan alone, and accepts it as known.
func TestExplore(t *testing.T) {
	t.Parallel()
	const plan = "cut-after-commit UpdateItem 1 counters"
	dir := t.TempDir()
	known := filepath.Join(dir, "known.txt")
	got := exploreCounter(t, dir, "--write-baseline", known)
	if got.status != 1 || !strings.Contains(got.stdout, "the counter is 2, want 1") ||
		!strings.Contains(got.stdout, "Reproduce: tabletop explore --plan '"+plan+"' --tables "+dir) ||
		!strings.HasSuffix(got.stderr, "1 finding: the command does not survive these mishaps\n") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "out", "finding-1", "recording.jsonl")); err != nil {
		t.Error(err)
	}
	if reason := savedScenario(t, dir); !strings.Contains(reason, "the counter is 2, want 1") {
		t.Errorf("the saved scenario fails for %q", reason)
	}
	if got := exploreCounter(t, dir, "--plan", plan); got.status != 1 ||
		!strings.Contains(got.stdout, "FAIL  the response to the 1st UpdateItem of counters is lost") {
		t.Errorf("%+v", got)
	}
	if got := exploreCounter(t, dir, "--baseline", known); got.status != 0 ||
		!strings.Contains(got.stdout, "PASS  ") || !strings.Contains(got.stdout, "KNOWN  the response") {
		t.Errorf("%+v", got)
	}
}

// TestExploreChecksInvariants has an invariant that a lost response breaks, and one about a table that does not exist.
func TestExploreChecksInvariants(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "invariants.yaml")
	const write = "the same request again, after which an invariant is broken\n"
	for table, want := range map[string]string{
		"counters": "broken: nothing is counted twice\n        {id: \"a\", n: 2}\n",
		"counterz": "Requested resource not found",
	} {
		text := "invariants: [{name: nothing is counted twice, table: " + table + ", each: n <= 1}]"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got := exploreCounter(t, dir, "--invariants", file)
		if !strings.Contains(got.stdout+got.stderr, want) ||
			table == "counters" && !strings.Contains(got.stdout, write) {
			t.Errorf("%+v; want %s", got, want)
		}
		if table != "counters" {
			continue
		}
		if reason := savedScenario(t, dir); !strings.Contains(reason, "broken: nothing is counted twice") {
			t.Errorf("the saved scenario fails for %q", reason)
		}
	}
}

// TestExploreRunsOnePlanWithInvariants checks what --plan shows.
func TestExploreRunsOnePlanWithInvariants(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "invariants.yaml")
	text := "invariants: [{name: nothing is counted twice, table: counters, each: n <= 1}]"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := exploreCounter(t, dir, "--invariants", file, "--plan", "cut-after-commit UpdateItem 1 counters")
	if got.status != 1 || !strings.Contains(got.stdout, "broken: nothing is counted twice\n    {id: \"a\", n: 2}\n") ||
		!strings.Contains(got.stdout, "the same request again, after which an invariant is broken\n") {
		t.Errorf("%+v", got)
	}
	changed := regexp.MustCompile(`\nBroken by: request \d+, UpdateItem, sent by aws-sdk-go-v2/.*\n` +
		`    counters a\n        before  \{id: "a", n: 1\}\n        after   \{id: "a", n: 2\}\nResult: `)
	if !changed.MatchString(got.stdout) {
		t.Errorf("not %s: %s", changed, got.stdout)
	}
}

// TestExploreWithoutAMishapFails has one run too few for a mishap.
func TestExploreWithoutAMishapFails(t *testing.T) {
	t.Parallel()
	got := exploreCounter(t, t.TempDir(), "--runs", "2")
	if got.status != 2 || !strings.Contains(got.stderr, "no mishap was tried: the runs without mishaps took ") {
		t.Errorf("%+v", got)
	}
}

func TestInvalidExplorationsAreRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	this := []string{"--", os.Args[0], "-test.run=^$"}
	counter := []string{"--", os.Args[0], "-test.run=^TestExploredCommand$"}
	tables := filepath.Join(dir, "tables.yaml")
	if err := os.WriteFile(tables, []byte(exploredTables), 0o600); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, k := range explore.Kinds() {
		names = append(names, string(k))
	}
	kinds := "use one of " + strings.Join(names, ", ")
	none := filepath.Join(dir, "none")
	for i, c := range []struct {
		args []string
		want string
	}{
		{nil, "tabletop explore takes a command: tabletop explore -- go test ./orders"},
		{[]string{"--", "no-such-command"}, `command "no-such-command" is not found: write its path, or install it`},
		{append([]string{"--kinds", "melt"}, this...), `--kinds: unknown kind "melt": ` + kinds},
		{append([]string{"--plan", "melt PutItem 1"}, this...),
			`--plan: mishap "melt PutItem 1": unknown kind "melt": ` + kinds},
		{append([]string{"--parallel", "0"}, this...), "--parallel 0 is out of range: use 1 to 1000"},
		{append([]string{"--runs", "-1"}, this...), "--runs and --for cannot be negative: 0 is no limit"},
		{append([]string{"--limit", "0s"}, this...), "--limit 0s is too short: use 1s or more"},
		{append([]string{"--baseline", none}, this...),
			"baseline " + none + " does not exist: write it with --write-baseline"},
		{append([]string{"--tables", none}, this...), "--tables: open " + none +
			": no such file or directory: use a table file such as tabletop tables schema prints"},
		{this, "the command sent no request for items to the emulator: it must use AWS_ENDPOINT_URL_DYNAMODB or " +
			"AZURE_COSMOS_ENDPOINT; for a fixed endpoint, use --dynamodb-addr"},
		{append([]string{"--tables", tables, "--kinds", "redeliver"}, counter...),
			"--kinds: none of these mishaps can happen to the program's requests: choose other kinds"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			got := runCommand(t.Context(), nil, append([]string{"explore", "--out", filepath.Join(dir, "out")}, c.args...)...)
			wantRefusal(t, got, c.want)
		})
	}
}
