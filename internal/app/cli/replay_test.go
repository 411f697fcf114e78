package cli

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
	"github.com/tabletop-db/tabletop/internal/app/replay"
)

// recordRun makes an emulator record a backend creating its tables, and returns the file. The backend's system has no
// customer managed key, because requests to KMS are not recorded.
func recordRun(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "requests.jsonl")
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet", "--record", file)
	url := s.await(t, `http://\S+`)
	if got := runCommand(t.Context(), nil, "tables", "create", "telemetry", "--target", "url="+url); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	if got := s.stop(t); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	return file
}

func TestReplay(t *testing.T) {
	t.Parallel()
	file := recordRun(t)
	got := runCommand(t.Context(), nil, "replay", file)
	if got.status != 0 || !strings.Contains(got.stdout, " 0 differ") {
		t.Errorf("%+v", got)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), "changed.jsonl")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), `"KeyType":"HASH"`, `"KeyType":"RANGE"`, 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(t.TempDir(), "report.json")
	got = runCommand(t.Context(), nil, "replay", changed, "--out", report, "--show", "1")
	if got.status != 1 || !strings.Contains(got.stderr, "differ from the recording") || !strings.Contains(got.stdout,
		"use --out to write up to 10,000 requests that differ to a file") {
		t.Errorf("%+v", got)
	}
	written, err := os.ReadFile(report)
	if err != nil || !strings.Contains(string(written), `"path": "status"`) {
		t.Errorf("%v\n%s", err, written)
	}
}

// TestReplayReportStatesWhatItOmits checks that a report with the maximum number of results counts the others.
func TestReplayReportStatesWhatItOmits(t *testing.T) {
	t.Parallel()
	f := replayFlags{out: filepath.Join(t.TempDir(), "report.json")}
	report := replay.Report{Summary: replay.Summary{Sent: replay.MaxResults + 2, Different: replay.MaxResults + 2}}
	keep := f.differencePrinter(io.Discard, &report)
	for range report.Summary.Different {
		keep(replay.Result{})
	}
	if err := f.finish(io.Discard, &report, nil); err == nil {
		t.Error("no response differs")
	}
	var written map[string]any
	text, err := os.ReadFile(f.out)
	if err := errors.Join(err, json.Unmarshal(text, &written)); err != nil || written["omitted"] != 2.0 {
		t.Errorf("%v omitted, error %v", written["omitted"], err)
	}
}

// recordBothDatabases records a request to DynamoDB and four to Cosmos DB.
func recordBothDatabases(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "requests.jsonl")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	e, err := emulator.Start(emulator.WithRecording(out))
	if err != nil {
		t.Fatal(err)
	}
	_, err = dynamodb.NewFromConfig(e.AWSConfig()).ListTables(t.Context(), &dynamodb.ListTablesInput{})
	if err != nil {
		t.Fatal(err)
	}
	client, err := cosmosclient.New(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "shop"}, nil); err != nil {
		t.Fatal(err)
	}
	shop, err := client.NewDatabase("shop")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second has an error
		_, err = shop.CreateContainer(t.Context(), azcosmos.ContainerProperties{ID: "orders",
			PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/pk"}}}, nil)
	}
	if err == nil {
		t.Fatal("a container is created twice")
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestReplayOfBothDatabases replays a recording to targets with both databases, and with one of them.
func TestReplayOfBothDatabases(t *testing.T) {
	t.Parallel()
	file, other := recordBothDatabases(t), emulator.Run(t)
	for target, says := range map[string]string{
		"embedded":                    "PASS  5 requests in ",
		"cosmos=" + other.CosmosURL(): "PASS  4 requests in ",
		"url=" + other.DynamoDBURL():  "PASS  1 requests in ",
	} {
		got := runCommand(t.Context(), nil, "replay", file, "--target", target)
		missing := strings.Contains(got.stdout, " not sent, because the target does not have their database")
		if got.status != 0 || !strings.HasPrefix(got.stdout, says) || missing != (target != "embedded") {
			t.Errorf("%s: %+v", target, got)
		}
	}
	got := runCommand(t.Context(), nil, "replay", recordRun(t), "--target", "cosmos="+other.CosmosURL())
	if got.status != 2 || !strings.Contains(got.stderr, "has no requests to a database that cosmos=") {
		t.Errorf("%+v", got)
	}
}

func TestInvalidReplaysAreRefused(t *testing.T) {
	t.Parallel()
	file := recordRun(t)
	other := filepath.Join(t.TempDir(), "other.txt")
	if err := os.WriteFile(other, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, says := range map[string]string{
		"replay":                            "takes one recording",
		"replay nothing.jsonl":              "no such file",
		"replay " + other:                   "line 1: not a recording",
		"replay " + file + " --rate fast":   "use max, original",
		"replay " + file + " --workers 0":   "use 1 to 1000",
		"replay " + file + " --target desk": "unknown target",
		"emulator --record " + file:         "the file already exists",
		"emulator --record /nowhere/file":   "writable folder",
	} {
		got := runCommand(t.Context(), nil, strings.Fields(line)...)
		if got.status != 2 || !strings.Contains(got.stderr, says) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestARecordingWithoutRequestsFails has a recording of nothing but its header, and one of a request whose
// signature was rejected.
func TestARecordingWithoutRequestsFails(t *testing.T) {
	t.Parallel()
	const (
		header   = `{"tabletop":"recording","format":1,"version":"1.0.0","start":"2030-01-03T12:24:56Z","seed":1}` + "\n"
		rejected = `{"n":1,"time":"2030-01-03T12:24:57Z","micros":1,"service":"dynamodb","operation":"ListTables",` +
			`"accessKey":"a","request":{},"status":400,"error":"UnrecognizedClientException","answer":{}}` + "\n"
	)
	dir := t.TempDir()
	for name, text := range map[string]string{"empty.jsonl": header, "rejected.jsonl": header + rejected} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ command, file, says string }{
		{"replay", "empty.jsonl", "empty.jsonl has no requests: run your program against the emulator that records"},
		{"replay", "rejected.jsonl", "rejected.jsonl has no requests that can be replayed: "},
		{"advise", "empty.jsonl", "the recording has no requests: run your program against the emulator that records"},
	} {
		got := runCommand(t.Context(), nil, c.command, filepath.Join(dir, c.file))
		if got.status != 2 || got.stdout != "" || !strings.Contains(got.stderr, c.says) {
			t.Errorf("%s %s: %+v", c.command, c.file, got)
		}
	}
}
