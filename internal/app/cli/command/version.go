package command

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/util/version"
)

// NewVersion returns the command that prints the program's version.
func NewVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version, the Go release and the platform",
		Long:    "Print the version of this binary, the Go release that built it, and its platform.",
		Example: "  tabletop version",
		Args:    NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), versionLine(cmd.Root().Name()))
			return err
		},
	}
}

// versionArgs replaces the flag --version by the command, which prints more than the version. Cobra could do that with
// a template, but that makes a program 5 MiB larger: package text/template keeps the linker from leaving out methods
// that nothing calls.
func versionArgs(args []string) []string {
	if len(args) > 0 && (args[0] == "--version" || args[0] == "-v") {
		return []string{"version"}
	}
	return args
}

func versionLine(program string) string {
	return fmt.Sprintf("%s %s (%s, %s/%s)\n", program, version.Current(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
