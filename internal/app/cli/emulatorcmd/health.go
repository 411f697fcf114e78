package emulatorcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// healthTimeout is how long a healthy server may take to respond. It is far longer than a response takes.
const healthTimeout = 10 * time.Second

// NewHealth returns the command that checks whether a running emulator, or another server, is healthy. It is the health
// check of the container images, which have no shell and no curl.
func NewHealth() *cobra.Command {
	endpoints := []string{"http://127.0.0.1:8000"}
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Check that a running emulator is healthy",
		Long: `Check that a running emulator is healthy: it responds, and its disk accepts writes. The exit status is 0 if it is
healthy and 1 if it is not, as the health checks of containers require.

--endpoint may also name other servers, such as a backend's /healthz; each must respond with status 200.`,
		Example: `  tabletop health
  tabletop health --endpoint http://127.0.0.1:9000
  tabletop health --endpoint http://127.0.0.1:8000,http://127.0.0.1:8080/healthz`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), healthTimeout)
			defer cancel()
			for _, endpoint := range endpoints {
				if err := checkHealth(ctx, endpoint); err != nil {
					return err
				}
				_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s is healthy\n", endpoint)
			}
			return nil
		},
	}
	cmd.Flags().StringSliceVar(&endpoints, "endpoint", endpoints, "URL of a running emulator or another server. Repeatable.")
	return command.WithVerdict(cmd)
}

// checkHealth returns nil if a GET of the URL returns status 200. Errors: why it does not, in the server's words if it
// responds; a usage error for a text that is not a URL.
func checkHealth(ctx context.Context, endpoint string) error {
	if err := checkURL(endpoint); err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("%s does not respond (%w): start it, or correct --endpoint", endpoint, causeOf(err))
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	return errors.Join(fmt.Errorf("%s is not healthy: status %d %s", endpoint, response.StatusCode,
		strings.TrimSpace(string(text))), err)
}
