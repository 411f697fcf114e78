package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

func TestFaultsCommands(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "faults.yaml")
	if err := os.WriteFile(file, []byte("faults:\n  - {name: slow scans, operations: [Scan], do: delay, latency: 20ms}\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet", "--faults", file)
	url := s.await(t, `http://\S+`)
	run := func(status int, shows string, args ...string) {
		t.Helper()
		got := runCommand(t.Context(), nil, append([]string{"faults"}, append(args, "--endpoint", url)...)...)
		if got.status != status || !strings.Contains(got.stdout+got.stderr, shows) || strings.Count(got.stderr, "\n") > 1 {
			t.Errorf("%v: %+v", args, got)
		}
	}
	empty := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet")
	none := runCommand(t.Context(), nil, "faults", "list", "--endpoint", empty.await(t, `http://\S+`))
	if none.status != 0 || !strings.HasPrefix(none.stdout, "No faults. Add one with: tabletop faults add ") {
		t.Errorf("%+v", none)
	}
	run(0, "slow scans  delay  injected into 0 of 0 requests\n", "list")
	run(0, "fault-2\n", "add", "--do", "throttle", "--operation", "Describe*", "--every", "1", "--times", "1", "--from",
		"2020-01-01T00:00:00Z")
	db := client(t, url)
	for _, want := range []string{"ThrottlingException", "ResourceNotFoundException"} {
		_, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("none")},
			func(o *dynamodb.Options) {
				o.Retryer = aws.NopRetryer{}
			})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the request is %v, not %s", err, want)
		}
	}
	run(0, "fault-2     throttle  injected into 1 of 2 requests\n", "list")
	run(1, `fault "slow scans" already exists`, "add", file)
	run(1, "members is missing", "add", "--do", "unprocessed")
	run(2, `one of "throttle, internal-error`, "add", "--do", "melt")
	run(2, "use the format", "add", "--do", "throttle", "--from", "noon")
	run(2, "or give a file", "add")
	run(2, "file nowhere.yaml does not exist", "add", "nowhere.yaml")
	run(2, "one file", "add", file, file)
	run(0, "", "remove", "slow scans")
	run(1, "fault not found", "remove", "slow scans")
	run(2, "takes one argument", "remove")
	run(0, "", "clear")
	run(0, "", "list")
	s.stop(t)
}

func TestFaultFilesWithUnknownFieldsAreRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "faults.yaml")
	if err := os.WriteFile(file, []byte("faults:\n  - do: throttle\n    ever: 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runCommand(t.Context(), nil, "emulator", "--faults", file)
	if got.status != 2 || !strings.Contains(got.stderr, file+`:3: unknown field "ever": use name, operations`) ||
		strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("%+v", got)
	}
}
