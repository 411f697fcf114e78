package cli

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/dashboard"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// checkTimeout is the time limit for all queries of the dashboard to a Prometheus.
const checkTimeout = 30 * time.Second

func newDashboard() *cobra.Command {
	var prometheus string
	var interval time.Duration
	cmd := &cobra.Command{
		Use:   "dashboard",
		Short: "Print the Grafana dashboard or check its queries",
		Long: `Print the Grafana dashboard of the backends and of their tables and containers, as JSON to import or to provision from
a folder. Its data source is a Prometheus server that scrapes /metrics of the backend and of the emulator; see
docs/observability.md.

With --check, run every query of the dashboard on a Prometheus server and list the number of time series for each panel.
The exit status is 1 if a query has no data; queries for rare events, such as throttling, may have none.`,
		Example: `  tabletop dashboard > tabletop.json
  tabletop dashboard --check http://127.0.0.1:9090
  tabletop dashboard --check http://127.0.0.1:9090 --interval 5m`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("check") && prometheus == "" {
				return dashboard.Write(cmd.OutOrStdout())
			}
			return checkDashboard(cmd.Context(), cmd.OutOrStdout(), prometheus, interval)
		},
	}
	cmd.Flags().StringVar(&prometheus, "check", "",
		"URL of the Prometheus server to run every query on, such as http://127.0.0.1:9090.")
	cmd.Flags().DurationVar(&interval, "interval", time.Minute,
		"Interval of rates with --check. It must contain at least two scrapes.")
	return cmd
}

func checkDashboard(ctx context.Context, w io.Writer, prometheus string, interval time.Duration) error {
	if at, err := url.Parse(prometheus); err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return command.Usagef("--check %q is not a URL: use that of a Prometheus server, such as http://127.0.0.1:9090",
			prometheus)
	}
	if interval < time.Second {
		return command.Usagef("--interval %v is too short: use at least 1s, such as 1m", interval)
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	answers, err := dashboard.Check(ctx, prometheus, interval)
	if err != nil {
		return command.Usagef("cannot reach Prometheus at %s: start it, or correct --check: %v", prometheus, err)
	}
	missing := 0
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, a := range answers {
		if a.Missing() {
			missing++
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\n", a.Panel, resultText(a))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if missing > 0 {
		_, _ = thousands.Fprintf(w, "FAIL  %d of %d queries have no data\n", missing, len(answers))
		return fmt.Errorf(
			"%d of %d queries have no data: check that Prometheus scrapes /metrics of the backend and of the emulator, "+
				"and that there was traffic in the last %v", missing, len(answers), interval)
	}
	_, err = thousands.Fprintf(w, "PASS  %d queries\n", len(answers))
	return err
}

// resultText describes the result of one query.
func resultText(a dashboard.Answer) string {
	switch {
	case a.Error != "":
		return "ERROR: " + a.Error
	case a.Series == 0 && a.Rare:
		return "no data, as expected for a rare event"
	case a.Series == 0:
		return "NO DATA: " + a.Query
	}
	return thousands.Sprintf("%d series", a.Series)
}
