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
	begin     bool
	documents bool
}

// NewCost returns the command that shows what a run would cost.
func NewCost() *cobra.Command {
	var f costFlags
	cmd := &cobra.Command{
		Use:   "cost",
		Short: "Show what a run would cost on AWS",
		Long: `Show what was used of an emulator that runs, and what AWS would ask for it: requests, storage, provisioned capacity,
recovery, streams, keys and alarms, each with its price. A run lasts from the emulator's start, its reset, or --begin,
by the emulator's clock.

The prices are public facts of the day that is shown; give your own by --prices. A recording is priced as if its tables
were on demand, without what they store. Cosmos DB is not priced: its metrics have the request units.`,
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
	flags.StringVar(&f.options.Region, "region", cost.DefaultRegion, "region whose prices are taken")
	flags.BoolVar(&f.options.Monthly, "monthly", false, "show what a month costs at the rate of the run")
	flags.BoolVar(&f.options.Internet, "internet", false, "clients are outside AWS: price what they are sent")
	flags.BoolVar(&f.options.Gross, "gross", false, "leave out what is free every month")
	flags.StringVar(&f.prices, "prices", "", "file of prices, in place of those that come with tabletop")
	flags.StringVar(&f.recording, "recording", "", "file of a recording, to be priced in place of an emulator's run")
	flags.BoolVar(&f.json, "json", false, "print the bill as JSON")
	flags.BoolVar(&f.begin, "begin", false, "begin another run once the bill is there")
	flags.BoolVar(&f.documents, "documents", false, "show what the backends' documents assume and compute")
	return cmd
}

func (f *costFlags) run(ctx context.Context, out io.Writer) error {
	if f.begin && f.recording != "" {
		return command.Usagef("--begin is of an emulator, --recording of none: give one of them")
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
	if err == nil && f.begin {
		err = f.admin.Call(ctx, http.MethodPost, "/cost/begin", nil, nil)
	}
	return err
}

func (f *costFlags) readPrices() (*cost.Prices, error) {
	if f.prices == "" {
		return cost.Own()
	}
	text, err := os.ReadFile(f.prices)
	if err != nil {
		return nil, command.Usagef("--prices: %v: name a file of prices such as docs/cost.md shows", err)
	}
	return cost.ReadPrices(f.prices, text)
}

func (f *costFlags) usage(ctx context.Context) (usage cost.Usage, err error) {
	if f.recording == "" {
		return usage, f.admin.Call(ctx, http.MethodGet, "/cost/usage", nil, &usage)
	}
	file, err := os.Open(f.recording)
	if err != nil {
		return usage, command.Usagef("--recording: %v: name a file that tabletop emulator --record has written", err)
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
	prices, err := cost.Own()
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
			stated, computed, today = "$"+d.Stated.Text(4), "$"+d.Computed().Text(4), "$"+bill.Total.Text(4)
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", d.ID, stated, computed, today, d.Says)
	}
	return w.Flush()
}

// checkRegion rejects a region without prices.
func checkRegion(region string) error {
	prices, err := cost.Own()
	if err != nil {
		return err
	}
	if _, _, err := prices.Region(region); err != nil {
		return command.Usagef("--show-cost: %v", err)
	}
	return nil
}
