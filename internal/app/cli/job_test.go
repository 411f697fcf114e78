package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/tables"
)

const tokensTable = "photoeditor-dev-device-tokens"

// startWithDeviceTokens starts an emulator whose clock starts in 2030, with six device tokens, two of them inactive and
// old. It returns its URL.
func startWithDeviceTokens(t *testing.T) string {
	t.Helper()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet", "--clock-start", "2030-01-01T00:00:00Z")
	url := s.await(t, `http://127\.0\.0\.1:[0-9]+`)
	c := client(t, url)
	if err := tables.Create(t.Context(), c,
		[]tables.Table{{Create: tables.OnDemand(tokensTable, tables.HashAndRange("userId", "deviceId"))}}); err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(tokensTable),
			Item: map[string]types.AttributeValue{
				"userId":   &types.AttributeValueMemberS{Value: "ann"},
				"deviceId": &types.AttributeValueMemberS{Value: fmt.Sprint(i)},
				"isActive": &types.AttributeValueMemberBOOL{Value: i%3 > 0},
				"updatedAt": &types.AttributeValueMemberS{Value: time.Date(2029, 11, 1+i, 0, 0, 0, 0,
					time.UTC).Format(time.RFC3339)},
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	return url
}

func TestJobCleanup(t *testing.T) {
	t.Parallel()
	target := "url=" + startWithDeviceTokens(t)
	for _, step := range []struct{ flags, want string }{
		{"--dry-run", "found      2"},
		{"", "deleted    2"},
		{"", "already done; use --restart to run it again"},
		{"--restart", "deleted    0"},
	} {
		got := runCommand(t.Context(), nil, append([]string{"job", "cleanup", "--target", target},
			strings.Fields(step.flags)...)...)
		if got.status != 0 || !strings.Contains(got.stdout, step.want) {
			t.Errorf("%s: %+v", step.flags, got)
		}
	}
	got := runCommand(t.Context(), nil, "job", "cleanup", "--target", target, "--json")
	var s jobs.Summary
	if err := json.Unmarshal([]byte(got.stdout), &s); err != nil || !s.AlreadyFinished || s.Run != 2 ||
		s.Parameters["cutoff"][:10] != "2029-12-02" {
		t.Errorf("%v, %+v", err, got)
	}
	wantRefusal(t, runCommand(t.Context(), nil, "job", "cleanup", "--target", "embedded"),
		"the target embedded exists only while the command runs: use --target url=http://HOST:PORT or aws")
	wantRefusal(t, runCommand(t.Context(), nil, "job", "cleanup", "--segments", "0"),
		"value out of range: use --segments 1 to 1000, --workers 1 to 64 and --lease 1s or more")
}

func TestJobRestoreDrill(t *testing.T) {
	t.Parallel()
	url := startWithDeviceTokens(t)
	c, file := client(t, url), filepath.Join(t.TempDir(), "tokens.json")
	do := func(flags ...string) outcome {
		return runCommand(t.Context(), nil, append([]string{"job", "restore-drill", "--target", "url=" + url, "--table",
			tokensTable}, flags...)...)
	}
	if got := do("--dry-run"); got.status != 1 || !strings.Contains(got.stderr, "point-in-time recovery is disabled") {
		t.Errorf("%+v", got)
	}
	_, err := c.UpdateContinuousBackups(t.Context(), &dynamodb.UpdateContinuousBackupsInput{
		TableName: aws.String(tokensTable), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: aws.Bool(true)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := do("--record", file); got.status != 0 || !strings.Contains(got.stdout, "6 items") {
		t.Errorf("%+v", got)
	}
	runCommand(t.Context(), nil, "clock", "advance", "1h", "--endpoint", url)
	runCommand(t.Context(), nil, "job", "cleanup", "--target", "url="+url)
	runCommand(t.Context(), nil, "clock", "advance", "10m", "--endpoint", url)
	if got := do("--expect", file); got.status != 0 || !strings.Contains(got.stdout, "gone       2") ||
		!strings.Contains(got.stdout, "verified   1") {
		t.Errorf("%+v", got)
	}
	if got := do("--at", "latest", "--expect", file, "--into", "rescued"); got.status != 1 || !strings.Contains(got.stderr,
		"4 items were restored, "+file+" has 6") || !strings.HasSuffix(got.stdout, "FAIL  tabletop job restore-drill\n") {
		t.Errorf("%+v", got)
	}
	wantRefusal(t, do("--at", "yesterday"), `--at "yesterday" is not a time: use the format 2026-01-31T11:59:59Z`)
	wantRefusal(t, do("--expect", file+".none"), "--expect: open "+file+
		".none: no such file or directory: use a file written by --record")
	wantRefusal(t, runCommand(t.Context(), nil, "job", "restore-drill"),
		"no table: set --table; tabletop tables describe lists the tables")
}

// TestKefirAndVerificationJobs runs the jobs of all systems on tables made by tabletop tables create, and checks what
// they print.
func TestKefirAndVerificationJobs(t *testing.T) {
	t.Parallel()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet", "--clock-start", "2030-01-01T00:00:00Z")
	target := "url=" + s.await(t, `http://127\.0\.0\.1:[0-9]+`)
	g := start(t, "pushgateway", "--addr", "127.0.0.1:0")
	gateway := g.await(t, `http://127\.0\.0\.1:[0-9]+`)
	for _, step := range []struct{ line, want string }{
		{"tables create kefir verification", "ACTIVE"},
		{"job backfill --dry-run", "dry run, no changes made"},
		{"job backfill", "scanned    0"},
		{"job backfill --restart", "PASS  tabletop job backfill\n"},
		{"job expire --uploads " + t.TempDir(), "expired    0"},
		{"job audit-retention --json", `"entries": 0`},
		{"job reminders --once --push-url " + gateway, "2030-01-01T00:0"},
		{"job reminders --once --json --push-url " + gateway, `"givenUp": 0`},
	} {
		got := runCommand(t.Context(), nil, append(strings.Fields(step.line), "--target", target)...)
		if got.status != 0 || !strings.Contains(got.stdout, step.want) {
			t.Errorf("%s: %+v", step.line, got)
		}
	}
	r := start(t, "job", "reminders", "--every", "1h", "--push-url", gateway, "--target", target)
	r.await(t, "0 due")
	if got := r.stop(t); got.status != 0 || got.stderr != "" {
		t.Errorf("%+v", got)
	}
	wantRefusal(t, runCommand(t.Context(), nil, "job", "reminders"),
		"no push service: set --push-url to https://exp.host or to the URL of tabletop pushgateway")
	wantRefusal(t, runCommand(t.Context(), nil, "job", "expire", "--target", target),
		"no storage for uploaded documents: set --uploads to the folder or s3://BUCKET of the backend")
	missing := filepath.Join(t.TempDir(), "uploads")
	wantRefusal(t, runCommand(t.Context(), nil, "job", "expire", "--target", target, "--uploads", missing),
		"--uploads: stat "+missing+": no such file or directory: use the folder or s3://BUCKET of the backend")
	wantRefusal(t, runCommand(t.Context(), nil, "job", "reminders", "--push-url", gateway, "--every", "1ms"),
		"--every 1ms is too short: use 1s or more")
}
