package emulatorcmd

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/internal/model/recording"
	"github.com/tabletop-db/tabletop/internal/util/indented"
)

// costFlags holds the flags of the cost command: what to price, and how.
type costFlags struct {
	admin     AdminFlags
	options   cost.Options
	prices    string
	recording string
	json      bool
	beginRun  bool
	documents bool
}

// NewCost returns the command that shows what a run would cost.
func NewCost() *cobra.Command {
	var f costFlags
	cmd := &cobra.Command{
		Use:   "cost",
		Short: "Show what an emulator's usage would cost on AWS",
		Long: `Show the usage of a running emulator and what it would cost on AWS, each kind with its price: requests, storage,
provisioned capacity, backups and recovery, imports and exports, streams, vector indexes, contributor insights, keys and
alarms. A run begins when the emulator starts or is reset, or with --begin, and is measured by the emulator's clock.

The built-in prices are AWS's public prices as of the date shown; use --prices for your own. A recording is priced as
on-demand requests, without storage. Cosmos DB is not priced: its request units are in its metrics, and those of a
recording are added up.`,
		Example: `  tabletop cost
  tabletop cost --monthly --region eu-west-1
  tabletop cost --recording run.jsonl --prices my-prices.yaml
  tabletop cost --documents`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.documents {
				return writeDocuments(cmd.OutOrStdout())
			}
			return f.run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	f.admin.bind(flags)
	flags.StringVar(&f.options.Region, "region", cost.DefaultRegion, "Region whose prices apply.")
	flags.BoolVar(&f.options.Monthly, "monthly", false, "Extrapolate the run's usage to a month.")
	flags.BoolVar(&f.options.Internet, "internet", false,
		"Include the price of data transfer to the internet, for clients outside AWS.")
	flags.BoolVar(&f.options.Gross, "gross", false, "Ignore the free tier.")
	flags.StringVar(&f.prices, "prices", "", "Price file. Default: the built-in prices.")
	flags.StringVar(&f.recording, "recording", "", "Recording file to price instead of a running emulator.")
	flags.BoolVar(&f.json, "json", false, "Print the bill as JSON, like --output json.")
	command.BindOutput(flags, &f.json)
	flags.BoolVar(&f.beginRun, "begin", false, "Begin a new run after printing the bill.")
	flags.BoolVar(&f.documents, "documents", false,
		"Show the cost estimates in the backends' design documents, with their assumptions.")
	return cmd
}

func (f *costFlags) run(ctx context.Context, out io.Writer) error {
	if f.beginRun && f.recording != "" {
		return command.Usagef("--begin and --recording cannot be combined: a recording has no emulator; use one of them")
	}
	prices, err := f.readPrices()
	if err != nil {
		return command.Usagef("%v", err)
	}
	usage, err := f.usage(ctx)
	if err != nil {
		return err
	}
	bill, err := prices.Bill(usage, f.options)
	if err != nil {
		return command.Usagef("%v", err)
	}
	if f.json {
		err = indented.WriteJSON(out, bill)
	} else {
		err = bill.WriteText(out)
	}
	if err == nil && f.beginRun {
		err = f.admin.Call(ctx, http.MethodPost, "/cost/begin", nil, nil)
	}
	return err
}

func (f *costFlags) readPrices() (*cost.Prices, error) {
	if f.prices == "" {
		return cost.EmbeddedPrices()
	}
	text, err := os.ReadFile(f.prices)
	if err != nil {
		return nil, command.Usagef("--prices: %v: use a price file as described in docs/cost.md", err)
	}
	return cost.ReadPrices(f.prices, text)
}

func (f *costFlags) usage(ctx context.Context) (usage cost.Usage, err error) {
	if f.recording == "" {
		return usage, f.admin.Call(ctx, http.MethodGet, "/cost/usage", nil, &usage)
	}
	file, err := os.Open(f.recording)
	if err != nil {
		return usage, command.Usagef("--recording: %v: use a file written by tabletop emulator --record", err)
	}
	defer file.Close()
	r, err := recording.NewReader(file)
	if err == nil {
		usage, err = cost.Recorded(r)
	}
	if err != nil {
		return usage, command.Usagef("%s: %v", f.recording, err)
	}
	return usage, nil
}

// writeDocuments prints the costs stated in the documents beside the costs at the documents' own prices and at today's.
func writeDocuments(out io.Writer) error {
	documents, err := cost.Documents()
	if err != nil {
		return err
	}
	prices, err := cost.EmbeddedPrices()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "ENTRY\tSTATED\tCOMPUTED\tTODAY\tASSUMPTION")
	for _, d := range documents {
		stated, computed, today := "-", "-", "-"
		if d.Stated != nil {
			bill, err := prices.Bill(d.Usage(), cost.Options{Gross: true})
			if err != nil {
				return err
			}
			stated, computed, today = d.Stated.Dollars(), d.Computed().Dollars(), bill.Total.Dollars()
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", d.ID, stated, computed, today, d.Says)
	}
	return w.Flush()
}

// checkRegion rejects a region without prices.
func checkRegion(region string) error {
	prices, err := cost.EmbeddedPrices()
	if err != nil {
		return err
	}
	if _, _, err := prices.Region(region); err != nil {
		return command.Usagef("--show-cost: %v", err)
	}
	return nil
}
