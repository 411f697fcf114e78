package command

import (
	"io"
	"os"

	"github.com/spf13/cobra"
)

// ClearScreen empties the terminal that a command prints to. It does nothing if the output is not a terminal.
func ClearScreen(cmd *cobra.Command) {
	out, ok := cmd.OutOrStdout().(printable)
	if !ok {
		return
	}
	f, ok := out.w.(*os.File)
	if !ok {
		return
	}
	if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		_, _ = io.WriteString(f, "\x1b[H\x1b[2J")
	}
}
