package command

import (
	"io"
	"os"

	"github.com/spf13/cobra"
)

// ClearScreen empties the terminal that a command prints to. It does nothing if the output is not a terminal.
func ClearScreen(cmd *cobra.Command) {
	if f := outputFile(cmd); isTerminal(f) {
		_, _ = io.WriteString(f, "\x1b[H\x1b[2J")
	}
}

// DataOutput returns the standard output for data, which is written as it is unless the output is a terminal.
func DataOutput(cmd *cobra.Command) io.Writer {
	if f := outputFile(cmd); f != nil && !isTerminal(f) {
		return f
	}
	return cmd.OutOrStdout()
}

// outputFile returns the file that a command prints to, or nil if it is none.
func outputFile(cmd *cobra.Command) *os.File {
	if out, ok := cmd.OutOrStdout().(printable); ok {
		f, _ := out.w.(*os.File)
		return f
	}
	return nil
}

func isTerminal(f *os.File) bool {
	if f == nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
