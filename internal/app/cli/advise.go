package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/advice"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/cli/emulatorcmd"
	"github.com/tabletop-db/tabletop/internal/model/recording"
	"github.com/tabletop-db/tabletop/internal/util/indented"
)

// suppressionsFile is where suppressions are if no flag says otherwise. It need not exist.
const suppressionsFile = "advice.yaml"

// adviseFlags holds the flags of advise.
type adviseFlags struct {
	region, suppressions string
	emulator             emulatorcmd.AdminFlags
	record               time.Duration // how long to record first; 0: review what is recorded
	json                 bool
}

func newAdvise() *cobra.Command {
	var f adviseFlags
	cmd := &cobra.Command{
		Use:   "advise [RECORDING]",
		Short: "Review how programs use the database, with evidence, costs and remedies",
		Long: `Review the requests of a recording: scans where a query would do, hot keys, indexes that nobody reads, and so on. Each
finding names the requests that show it, what it costs a month to leave it, what to do instead, and the page of the
documentation that says so. docs/advise.md lists the rules.

A RECORDING is a file that tabletop emulator --record or tabletop loadtest run --record writes. Without one, the
recording of a running emulator is reviewed, with what its tables are like now; --for records first.

A finding that is right as it is can be suppressed, with a reason, in the file advice.yaml. The exit status is 1 if there
are findings that are not suppressed.`,
		Example: `  tabletop advise requests.jsonl
  tabletop advise --for 1m
  tabletop advise --endpoint http://127.0.0.1:9000
  tabletop advise requests.jsonl --region eu-west-1 --output json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return command.Usagef("unexpected argument %q: %s takes at most one recording", args[1], cmd.CommandPath())
			}
			if f.record < 0 || f.record > 0 && len(args) > 0 {
				return command.Usagef("--for needs a positive duration and a running emulator: omit the recording %s",
					strings.Join(args, ""))
			}
			return f.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.region, "region", "", "AWS region whose prices apply. Default: us-east-1.")
	flags.StringVar(&f.suppressions, "suppressions", suppressionsFile, "File of suppressed findings.")
	flags.StringVar(&f.emulator.Endpoint, "endpoint", "http://127.0.0.1:8000",
		"URL of the running emulator to review, if there is no RECORDING.")
	flags.DurationVar(&f.record, "for", 0,
		"Duration to record the running emulator first, such as 1m. Default: review what it has recorded.")
	command.BindOutput(flags, &f.json)
	return cmd
}

func (f *adviseFlags) run(cmd *cobra.Command, args []string) error {
	suppressions, err := f.readSuppressions(cmd)
	if err != nil {
		return err
	}
	report, err := f.review(cmd.Context(), args)
	if err != nil {
		return err
	}
	if report.Requests == 0 {
		return command.Usagef("the recording has no requests: run your program against the emulator that records")
	}
	unused := suppressions.Apply(report)
	for _, s := range unused {
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "tabletop: no finding in this recording needs the suppression of %s in %s\n",
			s.Rule, f.suppressions)
	}
	if err := f.print(cmd.OutOrStdout(), report); err != nil {
		return err
	}
	if n := len(report.Findings); n > 0 {
		return fmt.Errorf("%s that %s not suppressed", count(int64(n), "finding"), isAre(n))
	}
	return nil
}

// review reviews the recording that args names, or else that of the running emulator.
func (f *adviseFlags) review(ctx context.Context, args []string) (report *advice.Report, err error) {
	if len(args) == 0 {
		return f.reviewEmulator(ctx)
	}
	err = (&recordingFlag{args[0]}).read(ctx, func(in *recording.Reader) error {
		report, err = advice.Recording(in, f.region)
		return err
	})
	return report, err
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// readSuppressions reads the file of suppressions. Without a flag it need not exist.
func (f *adviseFlags) readSuppressions(cmd *cobra.Command) (*advice.Suppressions, error) {
	s, err := advice.ReadSuppressions(f.suppressions)
	if errors.Is(err, fs.ErrNotExist) && !cmd.Flags().Changed("suppressions") {
		return &advice.Suppressions{}, nil
	}
	if err != nil {
		return nil, command.Usagef("%v", err)
	}
	return s, nil
}

func (f *adviseFlags) print(w io.Writer, p *advice.Report) error {
	if f.json {
		return indented.WriteJSON(w, p)
	}
	if err := p.WriteText(w); err != nil {
		return err
	}
	verdict := "PASS"
	if len(p.Findings) > 0 {
		verdict = "FAIL"
	}
	_, err := fmt.Fprintf(w, "%s  %s in %s: %s\n", verdict, count(p.Requests, "request"), p.Span,
		count(int64(len(p.Findings)), "finding"))
	return err
}
