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

func versionLine(program string) string {
	return fmt.Sprintf("%s %s (%s, %s/%s)\n", program, version.Current(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
