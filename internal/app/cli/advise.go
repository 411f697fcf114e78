package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/advice"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// suppressionsFile is where suppressions are if no flag says otherwise. It need not exist.
const suppressionsFile = "advice.yaml"

// adviseFlags holds the flags of advise.
type adviseFlags struct {
	region, suppressions string
	json                 bool
}

func newAdvise() *cobra.Command {
	var f adviseFlags
	cmd := &cobra.Command{
		Use:   "advise RECORDING",
		Short: "Review how programs use the database, with evidence, costs and remedies",
		Long: `Review the requests of a recording, which tabletop emulator --record writes: scans where a query would do, and so on.
Each finding names the requests that show it, what it costs a month to leave it, what to do instead, and the page of the
documentation that says so. docs/advise.md lists the rules.

A finding that is right as it is can be suppressed, with a reason, in the file advice.yaml. The exit status is 1 if there
are findings that are not suppressed.`,
		Example: `  tabletop advise requests.jsonl
  tabletop advise requests.jsonl --region eu-west-1 --output json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Usagef("%s takes one recording: see %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			return f.run(cmd, args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.region, "region", "", "AWS region whose prices apply. Default: us-east-1.")
	flags.StringVar(&f.suppressions, "suppressions", suppressionsFile, "File of suppressed findings.")
	command.BindOutput(flags, &f.json)
	return cmd
}

func (f *adviseFlags) run(cmd *cobra.Command, file string) error {
	suppressions, err := f.readSuppressions(cmd)
	if err != nil {
		return err
	}
	var report *advice.Report
	err = (&recordingFlag{file}).read(cmd.Context(), func(in *recording.Reader) error {
		report, err = advice.Recording(in, f.region)
		return err
	})
	if err != nil {
		return err
	}
	unused := suppressions.Apply(report)
	for _, s := range unused {
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "tabletop: the suppression of %s suppresses nothing: remove it from %s\n",
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
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(p)
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
