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
	flags.IntVar(&f.devices, "devices", devices, "Number of simulated devices, 1 to 10000.")
	flags.Float64Var(&f.speed, "speed", speed, "Simulated seconds per second. 1 is real time; inf runs without pauses.")
	flags.Uint64Var(&f.seed, "seed", 1, "Random seed. The same seed generates the same devices and readings.")
	flags.DurationVar(&f.interval, "interval", 5*time.Minute, "Simulated time between readings of a device.")
	flags.DurationVar(&f.duration, "duration", 0, "Simulated duration. 0 runs until it is stopped.")
}

// config returns the configuration of a fleet for a backend. Errors: a usage error for a flag with an unusable value.
func (f *fleetFlags) config(backend, apiKey, adminToken string) (fleet.Config, error) {
	cfg := fleet.Config{
		BaseURL: backend, APIKey: apiKey, AdminToken: adminToken,
		Devices: f.devices, Seed: f.seed, Speed: f.speed, Interval: f.interval, Duration: f.duration,
	}
	switch {
	case f.devices == 0:
		return cfg, zeroError("devices")
	case f.speed == 0:
		return cfg, zeroError("speed")
	case f.interval == 0:
		return cfg, zeroError("interval")
	}
	if err := cfg.Check(); err != nil {
		return cfg, command.Usagef("%v", err)
	}
	return cfg, nil
}

// shardConfig is like config, for the part of the fleet in a shard and a start of simulated time. Both may be empty.
func (f *fleetFlags) shardConfig(backend, apiKey, adminToken string, shard simulatedShard, start string) (fleet.Config,
	error) {
	cfg, err := f.config(backend, apiKey, adminToken)
	if err != nil {
		return cfg, err
	}
	if start != "" {
		if cfg.Start, err = time.Parse(time.RFC3339, start); err != nil {
			return cfg, command.Usagef("--start %q is not a time: use one such as 2026-11-27T00:00:00Z", start)
		}
	}
	if cfg.Shard, err = shard.parse(); err != nil {
		return cfg, err
	}
	if cfg.Shard.Of > 0 && start == "" {
		return cfg, command.Usagef("--shard requires --start, so that all shards simulate the same time")
	}
	if err := cfg.Check(); err != nil {
		return cfg, command.Usagef("%v", err)
	}
	return cfg, nil
}

// wait returns when the duration is over or ctx ends.
func (f *fleetFlags) wait(ctx context.Context) error {
	if f.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.duration)
		defer cancel()
	}
	<-ctx.Done()
	return nil
}

func newSimulateFleet() *cobra.Command {
	var f fleetFlags
	var format progressFormat
	var backendURL, apiKey, adminToken, report, start string
	var shard simulatedShard
	cmd := &cobra.Command{
		Use:   "fleet",
		Short: "Simulate a fleet of sensors that send readings to a telemetry backend",
		Long: `Simulate a fleet of sensors that send readings to a telemetry backend. Devices boot, crash, lose the network, buffer
readings and resend them. At the end, all readings are read back through the API. The simulation fails if a reading is
lost, duplicated or changed.`,
		Example: `  tabletop simulate fleet --admin-token "$TOKEN" --devices 100 --duration 24h --speed 3600
  tabletop simulate fleet --backend http://127.0.0.1:8080 --api-key "$KEY" --devices 10
  tabletop simulate fleet --admin-token "$TOKEN" --devices 8000 --duration 1h --shard 3/8 --start "$START" --report shard-3.json`,
		Args: command.NoArguments,
		PreRunE: func(*cobra.Command, []string) error {
			if apiKey == "" && adminToken == "" {
				return command.Usagef("no credential: set --api-key, or --admin-token to create API keys for the run")
			}
			if _, err := f.shardConfig(backendURL, apiKey, adminToken, shard, start); err != nil {
				return err
			}
			return format.check()
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := f.shardConfig(backendURL, apiKey, adminToken, shard, start)
			if err != nil {
				return err
			}
			if err := checkBackend(cmd.Context(), backendURL); err != nil {
				return err
			}
			return runFleet(cmd, cfg, report, format)
		},
	}
	f.bind(cmd.Flags(), 100, 1)
	flags := cmd.Flags()
	flags.StringVar(&backendURL, "backend", "http://127.0.0.1:8080", "URL of the backend.")
	flags.StringVar(&apiKey, "api-key", "", "API key of all devices.")
	flags.StringVar(&adminToken, "admin-token", "",
		"Bearer token for the admin routes of the backend, to create API keys for the run. Used instead of --api-key.")
	flags.StringVar(&report, "report", "", "File or folder to write the result to, as JSON.")
	shard.bind(flags, "Part of the fleet, such as 3/8: every eighth device. Requires --start.")
	flags.StringVar(&start, "start", "", "Start of simulated time, such as 2026-11-27T00:00:00Z: the same for all shards. "+
		"Default: so that the simulation ends now.")
	format.bind(flags)
	return cmd
}

// runFleet runs a fleet until its duration is over or the command is asked to stop, and prints the reconciliation. The
// configuration's Progress, if it has one, is called too.
func runFleet(cmd *cobra.Command, cfg fleet.Config, report string, format progressFormat) error {
	show, done := showProgress(format, cmd.ErrOrStderr(), fleet.ShowProgress)
	also := cfg.Progress
	cfg.Progress = func(c fleet.Counters) {
		show(c)
		if also != nil {
			also(c)
		}
	}
	cfg.Logger = command.Logger(cmd)
	defer context.AfterFunc(cmd.Context(), func() {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(),
			"\nStopping: delivering buffered readings, then reading all data back. Press Ctrl-C again to exit at once.")
	})()
	result, err := runUntilStopped(cmd.Context(), cfg)
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

// runUntilStopped runs a fleet. If ctx ends first, the devices make no new readings, deliver those they have, and are
// reconciled. This may take time; a second signal ends the process at once.
func runUntilStopped(ctx context.Context, cfg fleet.Config) (fleet.Result, error) {
	cfg.Stop = ctx.Done()
	return fleet.Run(context.WithoutCancel(ctx), cfg)
}
