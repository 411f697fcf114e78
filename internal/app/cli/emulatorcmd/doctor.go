package emulatorcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/indented"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// NewDoctor returns the command that examines and salvages a data folder.
func NewDoctor() *cobra.Command {
	var rootKey, salvage string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor DIR",
		Short: "Check a data folder and salvage a damaged one",
		Long: `Check a data folder that no emulator is using: its format, keys, manifest, logs, and every block of its tables. The
folder is not changed. Prints a line for each finding and a summary. The exit status is 1 if the folder is damaged.

With --salvage, copy all readable data to a new folder. An encrypted folder gets a new root key. For each item, the
newest readable version is kept. Where a block is lost, older values or deleted items may reappear; the affected key
ranges are printed.`,
		Example: `  tabletop doctor ./data
  tabletop doctor ./data --root-key ~/tabletop.key
  tabletop doctor ./data --salvage ./rescued
  tabletop doctor ./data --output json`,
		Args: oneFolder,
		RunE: func(cmd *cobra.Command, args []string) error {
			print := printReport
			if asJSON {
				print = printReportAsJSON
			}
			if salvage != "" {
				return runSalvage(cmd.Context(), cmd.OutOrStdout(), print, args[0], rootKey, salvage)
			}
			return runDoctor(cmd.Context(), cmd.OutOrStdout(), print, args[0], rootKey)
		},
	}
	cmd.Flags().StringVar(&rootKey, "root-key", "", "File with the folder's root key. Default: root.key in the folder.")
	cmd.Flags().StringVar(&salvage, "salvage", "", "New folder to copy all readable data to.")
	command.BindOutput(cmd.Flags(), &asJSON)
	return cmd
}

// oneFolder requires exactly one argument: the folder.
func oneFolder(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return command.Usagef("%s takes one folder: see %s --help", cmd.CommandPath(), cmd.CommandPath())
}

// errDamaged is the error of a damaged folder.
var errDamaged = errors.New(
	"the folder is damaged: restore a backup, or copy all readable data with: tabletop doctor DIR --salvage NEWDIR")

// reportPrinter prints the report on a folder, and the name of the folder that was salvaged to, if any.
type reportPrinter func(out io.Writer, r *emulator.FolderReport, salvagedTo string) error

// untilStopped calls work, which knows no context, and returns what it returns. If ctx ends first, it returns that the
// command was stopped, with the outcome of that, and leaves work to the end of the process.
func untilStopped[T any](ctx context.Context, outcome func() string, work func() (T, error)) (result T, err error) {
	ended := make(chan struct{})
	var got T
	var failed error
	go func() {
		defer close(ended)
		got, failed = work()
	}()
	select {
	case <-ended:
		return got, failed
	case <-ctx.Done():
		return result, command.Stoppedf(ctx, "%s", outcome())
	}
}

func runDoctor(ctx context.Context, out io.Writer, print reportPrinter, dir, rootKey string) error {
	outcome := func() string { return ": the folder was not checked" }
	report, err := untilStopped(ctx, outcome, func() (*emulator.FolderReport, error) {
		return emulator.CheckFolder(dir, rootKey)
	})
	if err != nil {
		return folderError(err)
	}
	if err := print(out, report, ""); err != nil {
		return err
	}
	if report.Damaged {
		return errDamaged
	}
	return nil
}

// printReportAsJSON is a reportPrinter.
func printReportAsJSON(out io.Writer, r *emulator.FolderReport, salvagedTo string) error {
	return indented.WriteJSON(out, struct {
		*emulator.FolderReport
		SalvagedTo string `json:"salvagedTo,omitempty"`
	}{r, salvagedTo})
}

// printReport is a reportPrinter.
func printReport(out io.Writer, r *emulator.FolderReport, salvagedTo string) error {
	printSummary(out, r)
	if salvagedTo == "" {
		return nil
	}
	for _, entry := range r.Kept {
		_, _ = fmt.Fprintf(out, "Salvaged  %8d  %s\n", entry.Count, entry.Kind)
	}
	for _, line := range r.Lost {
		_, _ = fmt.Fprintf(out, "Lost  %s\n", line)
	}
	if r.Unsure {
		_, _ = fmt.Fprintln(out, "The manifest is lost: deleted entries may have reappeared; review the data")
	}
	_, err := fmt.Fprintf(out, "Salvaged to %s; to start an emulator on it: tabletop emulator --data %s\n", salvagedTo,
		salvagedTo)
	return err
}

// printSummary prints the findings, and the verdict as the last line.
func printSummary(out io.Writer, r *emulator.FolderReport) {
	for _, line := range r.Findings {
		_, _ = fmt.Fprintln(out, line)
	}
	verdict := "PASS"
	if r.Damaged {
		verdict = "FAIL"
	}
	_, _ = thousands.Fprintf(out, "%s  format %d; table files: %d, log files: %d, entries: %d", verdict, r.Format, r.Tables,
		r.Logs, r.Entries)
	if r.Opened > 0 {
		_, _ = thousands.Fprintf(out, ", decrypted: %d", r.Opened)
	}
	if r.Sealed > 0 {
		_, _ = thousands.Fprintf(out, ", encrypted and not decrypted: %d", r.Sealed)
	}
	_, _ = fmt.Fprintln(out)
}

func runSalvage(ctx context.Context, out io.Writer, print reportPrinter, dir, rootKey, newDir string) error {
	var begun atomic.Bool
	outcome := func() string { return stoppedSalvage(newDir, begun.Load()) }
	report, err := untilStopped(ctx, outcome, func() (*emulator.FolderReport, error) {
		return emulator.SalvageFolder(dir, rootKey, newDir, func() { begun.Store(true) })
	})
	if err != nil {
		return folderError(err)
	}
	return print(out, report, newDir)
}

// stoppedSalvage returns the outcome of a salvage to newDir that was stopped, before or after the folder was begun.
func stoppedSalvage(newDir string, begun bool) string {
	if !begun {
		return ": nothing was salvaged"
	}
	return ": " + newDir + " is incomplete: remove it and salvage again"
}

// folderError makes the emulator's refusal of a folder a usage error; the refusal names its remedy.
func folderError(err error) error {
	if emulator.FolderRefused(err) {
		return command.Usagef("%v", err)
	}
	return err
}
