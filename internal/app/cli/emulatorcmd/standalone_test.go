package emulatorcmd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

func run(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = command.Main(t.Context(), command.Process{Args: args, Env: func(string) (string, bool) {
		return "", false
	}, Stdout: &stdout, Stderr: &stderr}, Standalone())
	return status, stdout.String(), stderr.String()
}

func TestStandaloneErrorsContainItsName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want string }{
		{"--frequency", "tabletop-emulator: unknown flag: --frequency: see tabletop-emulator --help\n"},
		{"emulator --frequency", "tabletop-emulator: unknown flag: --frequency: see tabletop-emulator emulator --help\n"},
		{"--like-cloud throttling", "tabletop-emulator: unexpected argument \"throttling\": if it is the value of --like-cloud, " +
			"write --like-cloud=throttling\n"},
		{"clok", `tabletop-emulator: unknown command "clok": did you mean tabletop-emulator clock?` + "\n"},
		{"--speed 0", "tabletop-emulator: --speed 0 is out of range: use a factor from 0.001 to 1000000\n"},
	} {
		if status, out, errs := run(t, strings.Fields(c.line)...); status != 2 || out != "" || errs != c.want {
			t.Errorf("%s: %d %q %q, want 2 and %q", c.line, status, out, errs, c.want)
		}
	}
}

// TestStandaloneHelpContainsItsName checks that no example names a command of tabletop that this program has itself.
func TestStandaloneHelpContainsItsName(t *testing.T) {
	t.Parallel()
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		if cmd.Short == "" || cmd.Long == "" || cmd.Example == "" {
			t.Errorf("%s lacks Short, Long or Example", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Example) {
			if strings.HasPrefix(strings.TrimSpace(line), "tabletop ") {
				t.Errorf("%s: the example %q is of another program", cmd.CommandPath(), line)
			}
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(Standalone())
}
