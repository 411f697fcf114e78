package cli

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/internal/app/cli/emulatorcmd"
)

// largeItemProgram writes an item near the limit.
func largeItemProgram(ctx context.Context, t *testing.T, db *dynamodb.Client) {
	t.Helper()
	_, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("items"),
		Item: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"},
			"text": &types.AttributeValueMemberS{Value: strings.Repeat("x", 350<<10)}}})
	if err != nil {
		t.Fatal(err)
	}
}

// post sends a command to an emulator's admin API.
func post(t *testing.T, endpoint, path string) {
	t.Helper()
	emulator := emulatorcmd.AdminFlags{Endpoint: endpoint}
	if err := emulator.Call(t.Context(), http.MethodPost, path, nil, nil); err != nil {
		t.Fatal(err)
	}
}

func TestAdviseOnARecording(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "requests.jsonl")
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet", "--record", file)
	db := client(t, s.await(t, `http://\S+`))
	createItemsTable(t, db)
	largeItemProgram(t.Context(), t, db)
	s.stop(t)
	got := runCommand(t.Context(), nil, "advise", file)
	if got.status != 1 || !strings.Contains(got.stdout, "large-item: items\n") {
		t.Errorf("%+v", got)
	}
	suppressions := filepath.Join(t.TempDir(), "ours.yaml")
	text := "suppress:\n  - {rule: large-item, reason: they are pictures}\n  - {rule: hot-key, table: none, reason: it is not}\n"
	if err := os.WriteFile(suppressions, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got = runCommand(t.Context(), nil, "advise", file, "--suppressions", suppressions)
	unneeded := "tabletop: no finding in this recording needs the suppression of hot-key in " + suppressions + "\n"
	if got.status != 0 || got.stderr != unneeded ||
		!strings.Contains(got.stdout, "suppressed  large-item: items  (they are pictures)\nPASS ") {
		t.Errorf("%+v", got)
	}
	got = runCommand(t.Context(), nil, "advise", file, "--region", "moon-1")
	if got.status == 0 || !strings.Contains(got.stderr, `no prices for region "moon-1"`) {
		t.Errorf("%+v", got)
	}
}

func TestAdviseOnARunningEmulator(t *testing.T) {
	t.Parallel()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet")
	url := s.await(t, `http://\S+`)
	wantRefusal(t, runCommand(t.Context(), nil, "advise", "--endpoint", url), fmt.Sprintf(
		"the emulator at %s has recorded nothing: record it with --for 1m, or name a recording", url))
	db := client(t, url)
	createItemsTable(t, db)
	post(t, url, "/recording/start")
	largeItemProgram(t.Context(), t, db)
	post(t, url, "/recording/stop")
	got := runCommand(t.Context(), nil, "advise", "--endpoint", url)
	if got.status != 1 || !strings.Contains(got.stdout, "large-item: items\n") {
		t.Errorf("%+v", got)
	}
	s.stop(t)
}

func TestAdviseRecordsFirst(t *testing.T) {
	t.Parallel()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet")
	url := s.await(t, `http://\S+`)
	db := client(t, url)
	createItemsTable(t, db)
	done := make(chan outcome)
	go func() { done <- runCommand(t.Context(), nil, "advise", "--endpoint", url, "--for", "1s") }()
	for {
		largeItemProgram(t.Context(), t, db)
		select {
		case got := <-done:
			if got.status != 1 || !strings.Contains(got.stdout, "large-item: items\n") {
				t.Errorf("%+v", got)
			}
			s.stop(t)
			return
		default:
		}
	}
}

func TestInvalidAdviseIsRefused(t *testing.T) {
	t.Parallel()
	wantRefusal(t, runCommand(t.Context(), nil, "advise", "a", "b"),
		`unexpected argument "b": tabletop advise takes at most one recording`)
	wantRefusal(t, runCommand(t.Context(), nil, "advise", "a", "--for", "1m"),
		"--for needs a positive duration and a running emulator: omit the recording a")
}
