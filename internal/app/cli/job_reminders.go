package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend/kefir"
	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/pause"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// remindersFlags holds the flags for how often reminders are sent, and through which push service.
type remindersFlags struct {
	jobFlags
	stage, pushURL string
	every          time.Duration
	once           bool
}

func newJobReminders() *cobra.Command {
	var f remindersFlags
	cmd := &cobra.Command{
		Use:   "reminders",
		Short: "Send due kefir reminders until Ctrl-C",
		Long: `Send due kefir reminders through a push service, every minute until Ctrl-C. Any number of processes can run at once:
each reminder is sent by one of them. After Ctrl-C, the job completes the reminders that it is sending, at most 100.`,
		Example: `  tabletop job reminders --push-url http://127.0.0.1:8090
  tabletop job reminders --push-url http://127.0.0.1:8090 --once --json`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	f.bind(flags)
	flags.StringVar(&f.stage, "stage", kefir.DefaultStage, "Stage in the name of the table kefir-app-STAGE-table.")
	flags.StringVar(&f.pushURL, "push-url", "", "URL of Expo's push service or of tabletop pushgateway. Required.")
	flags.DurationVar(&f.every, "every", time.Minute, "Pause between runs, 1s or more.")
	flags.BoolVar(&f.once, "once", false, "Run once and exit.")
	return cmd
}

func (f *remindersFlags) run(cmd *cobra.Command) error {
	switch {
	case f.pushURL == "":
		return command.Usagef("no push service: set --push-url to %s or to the URL of tabletop pushgateway", push.ExpoURL)
	case f.every < time.Second:
		return command.Usagef("--every %v is too short: use 1s or more", f.every)
	}
	if err := checkPushURL(f.pushURL); err != nil {
		return err
	}
	p, err := f.open(cmd)
	if err != nil {
		return err
	}
	service, err := kefir.New(kefir.Config{Client: p.client(), TablePrefix: p.prefix, Stage: f.stage, Now: p.now,
		Logger: command.Logger(cmd)})
	if err != nil {
		return command.Usagef("%v", err)
	}
	scheduler := kefir.NewScheduler(service, push.NewExpo(f.pushURL, nil, nil))
	for {
		err := f.send(cmd, p, scheduler)
		switch {
		case cmd.Context().Err() != nil && !f.once:
			return nil // stopped on request
		case f.once:
			return err
		case err != nil:
			_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "some reminders were not sent; the next run retries them:",
				command.OneLine(err))
		}
		if pause.For(cmd.Context(), f.every) != nil {
			return nil
		}
	}
}

// reminderResult is the result of one run.
type reminderResult struct {
	At string `json:"at"`
	kefir.Run
}

// send sends the reminders that are due and prints the result.
func (f *remindersFlags) send(cmd *cobra.Command, p *jobEnv, scheduler *kefir.Scheduler) error {
	p.follow(cmd.Context())
	at := p.now().UTC().Format(time.RFC3339)
	run, err := scheduler.RunOnce(cmd.Context())
	return errors.Join(err, f.print(cmd.OutOrStdout(), reminderResult{at, run}, func(w io.Writer) error {
		_, err := thousands.Fprintf(w,
			"%s  %d due  %d sent  %d taken by others  %d failed  %d given up  %d messages  %d devices removed\n",
			at, run.Due, run.Sent, run.Taken, run.Failed, run.GivenUp, run.Pushed, run.DevicesRemoved)
		return err
	}))
}
