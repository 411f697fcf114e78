package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// outcome is the result of a command line.
type outcome struct {
	status         int
	stdout, stderr string
}

// runCommand runs one command line as a process would, with env as its complete environment.
func runCommand(ctx context.Context, env map[string]string, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	status := Main(ctx, command.Process{Args: args, Env: lookup(env), Stdout: &stdout, Stderr: &stderr})
	return outcome{status, stdout.String(), stderr.String()}
}

func lookup(env map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}
}

// wantRefusal checks that a command line ended with status 2, one line on the error stream and nothing on standard
// output.
func wantRefusal(t *testing.T, got outcome, want string) {
	t.Helper()
	if got.status != 2 || got.stderr != "tabletop: "+want+"\n" || got.stdout != "" {
		t.Errorf("status %d\nstdout %q\nstderr %q\nwant 2 and %q", got.status, got.stdout, got.stderr, want)
	}
}

func TestUnknownCommandsAndFlagsAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want string }{
		{"vers", `unknown command "vers": did you mean tabletop version?`},
		{"nothing", `unknown command "nothing": see tabletop --help`},
		{"bakend --prefix x", `unknown command "bakend": did you mean tabletop backend?`},
		{"tables creat --prefix x", `unknown command "creat": did you mean tabletop tables create?`},
		{"--frequency", "unknown flag: --frequency: see tabletop --help"},
		{"version now", `unexpected argument "now": tabletop version takes no arguments; see tabletop version --help`},
		{"nosuch --help", `unknown command "nosuch": see tabletop --help`},
		{"help nosuch", `unknown command "nosuch": see tabletop --help`},
		{"clock nosuch --help", `unknown command "nosuch": see tabletop clock --help`},
		{"up -devices 5", "unknown flag -devices: write --devices"},
		{"up -sharedDb -inMemory",
			"unknown flag -sharedDb: omit it, or use tabletop emulator, which takes it"},
		{"up -dbPath d", "unknown flag -dbPath: use --data FOLDER, or use tabletop emulator, which takes it"},
		{"up -port=9000",
			"unknown flag -port: use --dynamodb-addr 127.0.0.1:PORT, or use tabletop emulator, which takes it"},
		{"-sharedDb -inMemory", "unknown flag -sharedDb: tabletop emulator takes it"},
		{"backend --port 9000", "unknown flag: --port: see tabletop backend --help"},
		{"up -x", "unknown flag -x: see tabletop up --help"},
		{"heat -5", "unexpected -5: tabletop heat takes no negative values; see tabletop heat --help"},
		{"emulator --like-cloud throttling",
			`unexpected argument "throttling": if it is the value of --like-cloud, write --like-cloud=throttling`},
		{"completion", "tabletop completion takes one shell: bash, zsh, fish or powershell"},
		{"completion tcsh", `unknown shell "tcsh": use bash, zsh, fish or powershell`},
	} {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			wantRefusal(t, runCommand(t.Context(), nil, strings.Fields(c.line)...), c.want)
		})
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	got := runCommand(t.Context(), nil, "version")
	if got.status != 0 || !strings.HasPrefix(got.stdout, "tabletop ") || strings.Count(got.stdout, "\n") != 1 {
		t.Errorf("got %+v", got)
	}
	if flag := runCommand(t.Context(), nil, "--version"); flag != got {
		t.Errorf("--version: %+v, not %+v", flag, got)
	}
}

func TestCompletionForEachShell(t *testing.T) {
	t.Parallel()
	for _, shell := range command.NewCompletion().ValidArgs {
		got := runCommand(t.Context(), nil, "completion", shell)
		if got.status != 0 || !strings.Contains(got.stdout, "tabletop") {
			t.Errorf("%s: status %d, %d bytes, stderr %q", shell, got.status, len(got.stdout), got.stderr)
		}
	}
}

// TestEveryCommandHasHelp checks that every command's help says what it does and what to type.
func TestEveryCommandHasHelp(t *testing.T) {
	t.Parallel()
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		if cmd.Short == "" || cmd.Long == "" || cmd.Example == "" {
			t.Errorf("%s lacks Short, Long or Example", cmd.CommandPath())
		}
		got := runCommand(t.Context(), nil, append(strings.Fields(cmd.CommandPath())[1:], "--help")...)
		if got.status != 0 || !strings.Contains(got.stdout, "Examples:") {
			t.Errorf("%s --help: %+v", cmd.CommandPath(), got)
		}
		for line := range strings.Lines(got.stdout) {
			if len([]rune(line)) > 81 { // with the line end
				t.Errorf("%s --help is wider than 80 columns:\n%s", cmd.CommandPath(), line)
			}
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(Root())
}

// TestHelpHasGroups checks that every command is in a group, and that the flags of the largest command are.
func TestHelpHasGroups(t *testing.T) {
	t.Parallel()
	for _, sub := range Root().Commands() {
		if sub.GroupID == "" && sub.Name() != "completion" && sub.Name() != "version" {
			t.Errorf("%s is in no group", sub.Name())
		}
	}
	got := runCommand(t.Context(), nil, "up", "--help")
	rest := got.stdout
	for _, title := range []string{"\nEmulator flags:\n", "\nBackend flags:\n", "\nCosmos DB flags:\n", "\nFleet flags:\n",
		"\nFlags:\n"} {
		if !strings.Contains(rest, title) {
			t.Errorf("up --help lacks %q:\n%s", title, rest)
		}
	}
}
