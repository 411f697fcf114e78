package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// TestControlCharactersAreEscaped checks that control characters in file names and contents are not printed: the file's
// would clear a terminal.
func TestControlCharactersAreEscaped(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "clears\x1b[2J.jsonl")
	lines := `{"tabletop":"recording","format":1,"version":"x","start":"2026-11-22T00:00:00Z","seed":1}
{"n":1,"time":"2026-11-22T00:00:00Z","micros":1,"service":"dynamodb","operation":"GetItem","principal":"arn:aws:iam::000000000000:user/ana","authorization":[{"action":"dynamodb:GetItem","resource":"arn:aws:dynamodb:us-east-1:000000000000:table/\u001b]0;owned\u0007"}],"status":200}
`
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	policy := filepath.Join(t.TempDir(), "policy.json")
	text := `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:PutItem","Resource":"*"}}`
	if err := os.WriteFile(policy, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"policy", "explain", "--recording", file, "--policy", policy}, {"policy", "explain", "--recording", file + "x",
			"--policy", policy},
		{"doctor", file}, {"clears\x1b[2J"},
	} {
		var out, errs strings.Builder
		Main(context.Background(), command.Process{Args: args, Env: func(string) (string, bool) {
			return "", false
		}, Stdout: &out, Stderr: &errs})
		if out.Len()+errs.Len() == 0 || strings.ContainsAny(out.String()+errs.String(), "\x1b\x07") {
			t.Errorf("%q prints %q %q", args, out.String(), errs.String())
		}
	}
}
