package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/report"
)

// loadFlags say what to attack and how hard.
type loadFlags struct {
	target     targetFlags
	backendURL string
	adminToken string
	duration   time.Duration
	scale      float64
	seed       uint64
	out        string
}

func (f *loadFlags) bind(flags *pflag.FlagSet) {
	f.target.bind(flags, string(targets.Embedded))
	flags.StringVar(&f.backendURL, "backend", "", "address of a backend that runs already, in place of --target; needs --admin-token")
	flags.StringVar(&f.adminToken, "admin-token", "", "token of the admin routes of --backend")
	flags.DurationVar(&f.duration, "duration", 0, "squeeze each profile into this time; without it as documented")
	flags.Float64Var(&f.scale, "rate-scale", 1, "multiply rates and devices by this")
	flags.Uint64Var(&f.seed, "seed", 0, "the same seed makes the same requests; without it by the clock")
	flags.StringVar(&f.out, "report", "reports/loadtest", "folder for the reports")
}

func newLoadtestRun() *cobra.Command {
	var f loadFlags
	cmd := &cobra.Command{
		Use:   "run [PROFILE…]",
		Short: "Run load profiles, with a verdict for each documented rate",
		Long: `Run load profiles, all of them unless some are named, against the backend on a target, and write the report as HTML
and JSON. A profile is the id of a built-in one or a .yaml file. A missed limit makes the exit status 1.`,
		Example: `  tabletop loadtest run
  tabletop loadtest run TL-L1 TL-L2 --duration 30s
  tabletop loadtest run --target dynamodb-local --rate-scale 0.1
  tabletop loadtest run --backend http://127.0.0.1:8080 --admin-token "$TOKEN" TL-L1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			profiles, err := loadtest.Find(args...)
			if err != nil {
				return usagef("%v", err)
			}
			return f.run(cmd, profiles)
		},
	}
	f.bind(cmd.Flags())
	return cmd
}

func (f *loadFlags) run(cmd *cobra.Command, profiles []loadtest.Profile) (err error) {
	if f.duration < 0 || f.scale <= 0 {
		return usagef("--duration cannot be negative and --rate-scale must be more than 0")
	}
	cfg, stop, err := f.open(cmd)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	var reports []*loadtest.Report
	for _, p := range profiles {
		cfg.Profile = p
		r, err := runProfile(cmd, cfg)
		if err != nil {
			return fmt.Errorf("%s: %w", p.ID, err)
		}
		reports = append(reports, r)
	}
	page, err := report.WriteFiles(f.out, reports)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(cmd.OutOrStdout(), "Report ", page)
	return missed(reports)
}

// open returns what to attack: a backend that runs already, or one that is started on the target.
func (f *loadFlags) open(cmd *cobra.Command) (cfg loadtest.Config, stop func() error, err error) {
	cfg = loadtest.Config{BaseURL: f.backendURL, AdminToken: f.adminToken, Duration: f.duration, RateScale: f.scale, Seed: f.seed}
	if f.backendURL != "" {
		if f.adminToken == "" {
			return cfg, nil, usagef("--backend needs --admin-token, to make the run's API keys")
		}
		return cfg, func() error { return nil }, nil
	}
	t, err := f.target.open(cmd.Context(), logger(cmd))
	if err != nil {
		return cfg, nil, err
	}
	cfg.Target, cfg.Meter = t.Name, new(loadtest.Meter)
	running, token, err := startOn(cmd, t, cfg.Meter)
	if err != nil {
		return cfg, nil, errors.Join(err, t.Close())
	}
	cfg.BaseURL, cfg.AdminToken = running.url, token
	cfg.Database = &loadtest.Database{AWS: t.Config, Prefix: t.TablePrefix}
	return cfg, func() error { return errors.Join(running.stop(), t.Close()) }, nil
}

// startOn starts a backend for one run on a target, with the meter on its database client.
func startOn(cmd *cobra.Command, t *targets.Target, meter *loadtest.Meter) (running *served, token string, err error) {
	f := backendFlags{
		addr: "127.0.0.1:0", prefix: t.TablePrefix, pepper: randomToken(), retention: deskRetention,
		client: []func(*dynamodb.Options){meter.Attach},
	}
	running, err = f.start(context.WithoutCancel(cmd.Context()), t.Config, time.Now, logger(cmd))
	return running, f.adminToken, err
}

func runProfile(cmd *cobra.Command, cfg loadtest.Config) (*loadtest.Report, error) {
	progress, done := loadtest.ShowProgress(cmd.ErrOrStderr())
	cfg.Progress = progress
	r, err := loadtest.Run(cmd.Context(), cfg)
	done()
	if err != nil {
		return nil, err
	}
	return r, report.Text(cmd.OutOrStdout(), r)
}

// missed is the error that makes a run with a missed limit fail.
func missed(reports []*loadtest.Report) error {
	n := 0
	for _, r := range reports {
		for _, v := range r.Verdicts {
			if v.State == loadtest.Missed {
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("limits missed: %d; the report shows which", n)
}
