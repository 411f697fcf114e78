package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/pause"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// cosmosJobFlags holds the flags for where a job on Cosmos DB runs.
type cosmosJobFlags struct {
	account        cosmosAccountFlags
	prefix, clock  string
	yesSpend, json bool
}

func (f *cosmosJobFlags) bind(flags *pflag.FlagSet) {
	f.account.bind(flags)
	flags.StringVar(&f.prefix, "prefix", "", "Prefix of the database name.")
	flags.StringVar(&f.clock, "clock", "",
		"DynamoDB URL of the emulator whose clock to use, such as http://127.0.0.1:8000. "+
			"Default: the clock of this machine.")
	flags.BoolVar(&f.yesSpend, "yes-spend", false, "Confirm that an account that is not on this machine may cost money.")
	flags.BoolVar(&f.json, "json", false, "Print the summary as JSON, like --output json.")
	command.BindOutput(flags, &f.json)
}

// service returns the notification service on the account, and its clock.
func (f *cosmosJobFlags) service(cmd *cobra.Command, pushURL string) (*notification.Service, *jobClock, error) {
	if err := errors.Join(checkPrefix(f.prefix), checkPushURL(pushURL)); err != nil {
		return nil, nil, err
	}
	client, err := f.account.open(cmd.Context(), f.yesSpend)
	if err != nil {
		return nil, nil, err
	}
	if client == nil {
		return nil, nil, command.Usagef("no Cosmos DB account: set --cosmos-endpoint, such as https://127.0.0.1:8081")
	}
	clock := &jobClock{}
	if f.clock != "" {
		if clock, err = emulatorClock(cmd.Context(), f.clock); err != nil {
			return nil, nil,
				command.Usagef("--clock: %v: start the emulator, or use the URL of its DynamoDB, such as http://127.0.0.1:8000",
					err)
		}
	}
	service, err := backend.NewNotification(backend.Config{Cosmos: client, TablePrefix: f.prefix, PushURL: pushURL,
		Now: clock.now, Logger: command.Logger(cmd)})
	if err != nil {
		return nil, nil, command.Usagef("%v", err)
	}
	return service, clock, nil
}

// notificationsFlags holds the flags for how often the worker runs and how it finds its work.
type notificationsFlags struct {
	cosmosJobFlags
	pushURL string
	feed    bool
	every   time.Duration
	once    bool
}

func newJobNotifications() *cobra.Command {
	var f notificationsFlags
	cmd := &cobra.Command{
		Use:   "notifications",
		Short: "Create notifications for enqueued events until Ctrl-C",
		Long: `Create notifications for enqueued events and push them to the users' phones, every second until Ctrl-C. Any number of
workers can run at once: each event is processed by one of them.

By default the worker finds events with a query across all partitions, as documented; its cost grows with the number of
partitions. With --feed, the worker reads the change feed, and runs the query only occasionally to find events that are
due without a change.`,
		Example: `  tabletop job notifications --cosmos-endpoint https://127.0.0.1:8081 --push-url http://127.0.0.1:8090
  tabletop job notifications --cosmos-endpoint https://127.0.0.1:8081 --feed
  tabletop job notifications --cosmos-endpoint https://127.0.0.1:8081 --once --json`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	f.bind(flags)
	flags.StringVar(&f.pushURL, "push-url", "", "URL of tabletop pushgateway. Default: none; no push messages are sent.")
	flags.BoolVar(&f.feed, "feed", false, "Read the change feed instead of running a query every round.")
	flags.DurationVar(&f.every, "every", time.Second, "Pause after a round with little work, 100ms or more.")
	flags.BoolVar(&f.once, "once", false, "Run one round and exit.")
	return cmd
}

func (f *notificationsFlags) run(cmd *cobra.Command) error {
	if f.every < 100*time.Millisecond {
		return command.Usagef("--every %v is too short: use 100ms or more", f.every)
	}
	service, clock, err := f.service(cmd, f.pushURL)
	switch {
	case cmd.Context().Err() != nil && !f.once:
		return nil // stopped on request
	case err != nil:
		return err
	}
	round := service.Work
	if f.feed {
		round = notification.NewFollower(service).Round
	}
	for failing := false; ; {
		clock.follow(cmd.Context())
		did, err := round(cmd.Context())
		switch {
		case f.once && err != nil && did.Found == 0:
			return err
		case f.once:
			return errors.Join(err, f.report(cmd, clock.now(), did))
		case cmd.Context().Err() != nil:
			return nil // stopped on request
		case err != nil && !failing: // log the first failure, not one each second
			_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "a round failed; the worker continues with the next:", command.OneLine(err))
		case did.Found > 0:
			if err := f.report(cmd, clock.now(), did); err != nil {
				return err
			}
		}
		failing = err != nil
		if !did.Busy() && pause.For(cmd.Context(), f.every) != nil {
			return nil
		}
	}
}

// roundResult is the result of one round.
type roundResult struct {
	At string `json:"at"`
	notification.WorkResult
}

func (f *notificationsFlags) report(cmd *cobra.Command, at time.Time, r notification.WorkResult) error {
	text := at.UTC().Format(time.RFC3339)
	return printAs(cmd.OutOrStdout(), f.json, roundResult{text, r}, func(w io.Writer) error {
		_, err := thousands.Fprintf(w,
			"%s  %d claimed  %d completed  %d waiting  %d failed  %d rate limited  %d duplicates  %d messages  %.1f RU\n",
			text, r.Claimed, r.Completed, r.Waiting, r.Failed, r.RateLimited, r.Deduplicated, r.Pushed, r.RU)
		return err
	})
}

func newJobCleanupDevices() *cobra.Command {
	var f cosmosJobFlags
	var dryRun bool
	keep := notification.RevokedRetention
	cmd := &cobra.Command{
		Use:   "cleanup-devices",
		Short: "Delete device tokens of the notification system 90 days after they were revoked",
		Long: `Delete device tokens of the notification system that were revoked 90 days ago or earlier. Each deletion is
conditional: a token that changes in the meantime is not deleted. The job can be stopped at any time and run again.`,
		Example: `  tabletop job cleanup-devices --cosmos-endpoint https://127.0.0.1:8081 --dry-run
  tabletop job cleanup-devices --cosmos-endpoint https://127.0.0.1:8081 --json`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if keep < 0 {
				return command.Usagef("--keep %v is negative: use a duration such as 2160h", keep)
			}
			service, _, err := f.service(cmd, "")
			if err != nil {
				return err
			}
			did, err := service.CleanUpDevices(cmd.Context(), keep, dryRun)
			return errors.Join(err, printAs(cmd.OutOrStdout(), f.json, did, func(w io.Writer) error {
				_, err := thousands.Fprintf(w, "seen       %d\ndeleted    %d\nkept       %d\nconsumed   %.1f RU\n", did.Seen, did.Deleted,
					did.Kept, did.RU)
				return err
			}))
		},
	}
	f.bind(cmd.Flags())
	cmd.Flags().DurationVar(&keep, "keep", keep, "Retention period of revoked tokens.")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "Count the changes without making them.")
	return cmd
}
