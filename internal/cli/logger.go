package cli

import (
	"log/slog"

	"github.com/spf13/cobra"
)

// logger writes a command's warnings and errors, as text, to its error stream.
func logger(cmd *cobra.Command) *slog.Logger {
	return slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: slog.LevelWarn}))
}
