package command

import (
	"log/slog"

	"github.com/spf13/cobra"
)

// Logger returns a logger that writes a command's warnings and errors, as text, to its error stream.
func Logger(cmd *cobra.Command) *slog.Logger {
	return slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelWarn}))
}
