package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const recordedRun = `{"tabletop":"recording","format":1,"version":"x","start":"2026-11-21T08:00:00Z","seed":1}
{"n":1,"time":"2026-11-21T08:00:00Z","micros":1,"service":"dynamodb","operation":"GetItem","principal":"arn:aws:iam::123456789012:user/ana","authorization":[{"action":"dynamodb:GetItem","resource":"arn:aws:dynamodb:us-east-1:123456789012:table/orders","context":{"dynamodb:LeadingKeys":["ana"]}}],"status":200}
{"n":2,"time":"2026-11-21T08:00:00Z","micros":1,"service":"dynamodb","operation":"PutItem","principal":"arn:aws:iam::123456789012:user/ana","authorization":[{"action":"dynamodb:PutItem","resource":"arn:aws:dynamodb:us-east-1:123456789012:table/orders","context":{"dynamodb:LeadingKeys":["bob"]}}],"status":200}
`

// writeFile writes a file into a temporary folder and returns its path.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPolicyExplain(t *testing.T) {
	t.Parallel()
	run := writeFile(t, "run.jsonl", recordedRun)
	people := writeFile(t, "people.yaml", `
account: "123456789012"
users:
  ana: {inline: {own: {Version: "2012-10-17", Statement: {Effect: Allow, Action: "dynamodb:*", Resource: "*", Condition: {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": "${aws:username}"}}}}}}
`)
	got := runCommand(t.Context(), nil, "policy", "explain", "--identities", people, "--recording", run)
	want := `1  dynamodb:GetItem  arn:aws:dynamodb:us-east-1:123456789012:table/orders
    allowed by own, Statement[0] (identity-based policy)
2  dynamodb:PutItem  arn:aws:dynamodb:us-east-1:123456789012:table/orders
    denied: no identity-based policy allows it
    - own, Statement[0]: ForAllValues:StringEquals of dynamodb:LeadingKeys wants ${aws:username}: it is bob
FAIL  1 of 2 requests are denied
`
	if got.status != 1 || got.stdout != want || got.stderr != "tabletop: 1 of 2 requests are denied\n" {
		t.Errorf("%d\n%s\n%s", got.status, got.stdout, got.stderr)
	}
	got = runCommand(t.Context(), nil, "policy", "explain", "--identities", people, "--recording", run, "--request", "1")
	if got.status != 0 || !strings.Contains(got.stdout, "- own, Statement[0]: Allow, applies\nPASS  1 requests are allowed\n") {
		t.Errorf("%d\n%s\n%s", got.status, got.stdout, got.stderr)
	}
}

// TestPolicyExplainAsJSON checks the JSON of a run of which one request is denied: it has only the JSON, and the
// statements of what is denied.
func TestPolicyExplainAsJSON(t *testing.T) {
	t.Parallel()
	run := writeFile(t, "run.jsonl", recordedRun)
	policy := writeFile(t, "policy.json",
		`{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:GetItem","Resource":"*"}}`)
	got := runCommand(t.Context(), nil, "policy", "explain", "--policy", policy, "--recording", run, "--output", "json")
	var report explainReport
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil || got.status != 1 || len(report.Accesses) != 2 {
		t.Fatalf("%v %+v", err, got)
	}
	allowed, denied := report.Accesses[0], report.Accesses[1]
	if report.Requests != 2 || report.Denied != 1 || !allowed.Allowed || allowed.Statements != nil || denied.Allowed ||
		denied.Request != 2 || denied.Action != "dynamodb:PutItem" || len(denied.Statements) != 1 ||
		denied.Statements[0].Effect != "Allow" || len(denied.Statements[0].Reasons) == 0 {
		t.Errorf("%+v", report)
	}
}

func TestPolicySuggest(t *testing.T) {
	t.Parallel()
	run := writeFile(t, "run.jsonl", recordedRun)
	got := runCommand(t.Context(), nil, "policy", "suggest", "--recording", run)
	policy := writeFile(t, "policy.json", got.stdout)
	if got.status != 0 || !strings.Contains(got.stdout, `"dynamodb:GetItem",
        "dynamodb:PutItem"`) {
		t.Fatalf("%d\n%s\n%s", got.status, got.stdout, got.stderr)
	}
	got = runCommand(t.Context(), nil, "policy", "explain", "--policy", policy, "--recording", run)
	if got.status != 0 || !strings.HasSuffix(got.stdout, "\nPASS  2 requests are allowed\n") {
		t.Errorf("%d\n%s\n%s", got.status, got.stdout, got.stderr)
	}
}

func TestInvalidPolicyCommandsAreRefused(t *testing.T) {
	t.Parallel()
	run, people := writeFile(t, "run.jsonl", recordedRun), writeFile(t, "people.yaml",
		"users:\n  ana: {keys: [{id: AKIAANAANAANAANAANA1}]}\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"policy", "explain", "--recording", run}, "set either --identities FILE or --policy FILE"},
		{[]string{"policy", "suggest"}, "no recording: set --recording to a file written by tabletop emulator --record"},
		{[]string{"policy", "suggest", "--recording", people},
			people + `: line 1: not a recording: the first line does not contain "tabletop":"recording"; ` +
				"use a file written by tabletop emulator --record"},
		{[]string{"policy", "explain", "--identities", people, "--recording", run},
			people + ":2: access key AKIAANAANAANAANAANA1 has no secret: write secret: and what signs by it"},
		{[]string{"emulator", "--identities", people, "--dynamodb-addr", "127.0.0.1:0"}, "--identities: " + people +
			":2: access key AKIAANAANAANAANAANA1 has no secret: write secret: and what signs by it"},
		{[]string{"emulator", "--identities", "none.yaml", "--dynamodb-addr", "127.0.0.1:0"},
			"--identities: none.yaml: cannot be read (no such file or directory): use a YAML file of identities"},
	} {
		t.Run(strings.Join(c.args[:2], " "), func(t *testing.T) {
			t.Parallel()
			wantRefusal(t, runCommand(t.Context(), nil, c.args...), c.want)
		})
	}
}

// TestPolicyExplainWithValuesOfConditionKeys has a policy that wants TLS, of which a recording knows nothing.
func TestPolicyExplainWithValuesOfConditionKeys(t *testing.T) {
	t.Parallel()
	policy := writeFile(t, "policy.json", `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*",`+
		`"Resource":"*","Condition":{"Bool":{"aws:SecureTransport":"true"}}}}`)
	args := []string{"policy", "explain", "--policy", policy, "--recording", writeFile(t, "run.jsonl", recordedRun)}
	for given, status := range map[string]int{"aws:SecureTransport=true": 0, "aws:SourceIp=10.0.0.7": 1} {
		got := runCommand(t.Context(), nil, append(args[:len(args):len(args)], "--context", given)...)
		if got.status != status {
			t.Errorf("%s: %+v, want status %d", given, got, status)
		}
	}
	wantRefusal(t, runCommand(t.Context(), nil, append(args, "--context", "SecureTransport")...),
		`--context "SecureTransport" has no condition key and value: write KEY=VALUE, such as aws:SecureTransport=true`)
}
