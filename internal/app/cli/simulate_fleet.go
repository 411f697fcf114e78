package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// fleetFlags holds the flags for the number of devices and their traffic.
type fleetFlags struct {
	devices  int
	seed     uint64
	speed    float64
	interval time.Duration
	duration time.Duration
}

func (f *fleetFlags) bind(flags *pflag.FlagSet, devices int, speed float64) {
	flags.IntVar(&f.devices, "devices", devices, "simulated devices, 1 to 10000")
	flags.Float64Var(&f.speed, "speed", speed, "simulated seconds a second; 1 is real time, inf does not wait at all")
	flags.Uint64Var(&f.seed, "seed", 1, "the same seed gives the same fleet")
	flags.DurationVar(&f.interval, "interval", 5*time.Minute, "simulated time between two readings of a device")
	flags.DurationVar(&f.duration, "duration", 0, "simulated time to run; 0 runs until Ctrl-C")
}

// config returns the configuration of a fleet for a backend. Errors: a usage error for a flag with an unusable value.
func (f *fleetFlags) config(backend, apiKey, adminToken string) (fleet.Config, error) {
	cfg := fleet.Config{
		BaseURL: backend, APIKey: apiKey, AdminToken: adminToken,
		Devices: f.devices, Seed: f.seed, Speed: f.speed, Interval: f.interval, Duration: f.duration,
	}
	if f.devices == 0 || f.speed == 0 || f.interval == 0 {
		return cfg, command.Usagef("--devices, --speed and --interval cannot be 0: leave them out for their defaults")
	}
	if err := cfg.Check(); err != nil {
		return cfg, command.Usagef("%v", err)
	}
	return cfg, nil
}

func newSimulateFleet() *cobra.Command {
	var f fleetFlags
	var backendURL, apiKey, adminToken, report string
	cmd := &cobra.Command{
		Use:   "fleet",
		Short: "Run a fleet of simulated sensors against a telemetry backend",
		Long: `Run a fleet of simulated sensors against a telemetry backend: they boot, crash, lose the network, buffer, and send
again. At the end everything is read back through the API; a lost, doubled or changed reading is a failure.`,
		Example: `  tabletop simulate fleet --admin-token "$TOKEN" --devices 100 --duration 24h --speed 3600
  tabletop simulate fleet --backend http://127.0.0.1:8080 --api-key "$KEY" --devices 10`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if apiKey == "" && adminToken == "" {
				return command.Usagef("no credential: give --api-key, or --admin-token of the backend to make keys for the run")
			}
			cfg, err := f.config(backendURL, apiKey, adminToken)
			if err != nil {
				return err
			}
			return runFleet(cmd, cfg, report)
		},
	}
	f.bind(cmd.Flags(), 100, 1)
	flags := cmd.Flags()
	flags.StringVar(&backendURL, "backend", "http://127.0.0.1:8080", "address of the backend")
	flags.StringVar(&apiKey, "api-key", "", "key of all devices")
	flags.StringVar(&adminToken, "admin-token", "", "token that makes keys for the run, in place of --api-key")
	flags.StringVar(&report, "report", "", "file for the result as JSON, or a folder for it")
	return cmd
}

// runFleet runs a fleet until its duration is over or the command is asked to stop, and prints the reconciliation.
func runFleet(cmd *cobra.Command, cfg fleet.Config, report string) error {
	progress, done := fleet.ShowProgress(cmd.ErrOrStderr())
	cfg.Progress, cfg.Logger = progress, command.Logger(cmd)
	defer context.AfterFunc(cmd.Context(), func() {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "\nStopping: what is buffered is delivered, then everything is read back. Ctrl-C again ends at once.")
	})()
	result, err := playUntilStopped(cmd.Context(), cfg)
	done()
	if err != nil {
		return err
	}
	if err := result.WriteText(cmd.OutOrStdout()); err != nil {
		return err
	}
	if report != "" {
		if err := sim.WriteJSONFile(report, result); err != nil {
			return err
		}
	}
	return result.Err()
}

// playUntilStopped runs a fleet. If ctx ends first, the devices make no new readings, deliver those they have, and are
// reconciled. This may take time; a second signal ends the process at once.
func playUntilStopped(ctx context.Context, cfg fleet.Config) (fleet.Result, error) {
	cfg.Stop = ctx.Done()
	return fleet.Run(context.WithoutCancel(ctx), cfg)
}
