package emulatorcmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// NewDoctor returns the command that examines and salvages a data folder.
func NewDoctor() *cobra.Command {
	var rootKey, salvage string
	cmd := &cobra.Command{
		Use:   "doctor DIR",
		Short: "Check a data folder and salvage a damaged one",
		Long: `Check a data folder that no emulator is using: its format, keys, manifest, logs, and every block of its tables. The
folder is not changed. Prints a line for each finding and a summary. The exit status is 1 if the folder is damaged.

With --salvage, copy all readable data to a new folder. An encrypted folder gets a new root key. For each item, the
newest readable version is kept. Where a block is lost, older values or deleted items may reappear; the affected key ranges are printed.`,
		Example: `  tabletop doctor ./data
  tabletop doctor ./data --root-key ~/tabletop.key
  tabletop doctor ./data --salvage ./rescued`,
		Args: oneFolder,
		RunE: func(cmd *cobra.Command, args []string) error {
			if salvage != "" {
				return runSalvage(cmd.OutOrStdout(), args[0], rootKey, salvage)
			}
			return runDoctor(cmd.OutOrStdout(), args[0], rootKey)
		},
	}
	cmd.Flags().StringVar(&rootKey, "root-key", "", "File with the folder's root key. Default: root.key in the folder.")
	cmd.Flags().StringVar(&salvage, "salvage", "", "New folder to copy all readable data to.")
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

func runDoctor(out io.Writer, dir, rootKey string) error {
	report, err := emulator.CheckFolder(dir, rootKey)
	if err != nil {
		return folderError(err)
	}
	printReport(out, report)
	if report.Damaged {
		return errDamaged
	}
	return nil
}

func printReport(out io.Writer, r *emulator.FolderReport) {
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

func runSalvage(out io.Writer, dir, rootKey, newDir string) error {
	report, err := emulator.SalvageFolder(dir, rootKey, newDir)
	if err != nil {
		return folderError(err)
	}
	printReport(out, report)
	for _, entry := range report.Kept {
		_, _ = fmt.Fprintf(out, "Salvaged  %8d  %s\n", entry.Count, entry.Kind)
	}
	for _, line := range report.Lost {
		_, _ = fmt.Fprintf(out, "Lost  %s\n", line)
	}
	if report.Unsure {
		_, _ = fmt.Fprintln(out, "The manifest is lost: deleted entries may have reappeared; review the data")
	}
	_, _ = fmt.Fprintf(out, "Salvaged to %s; to start an emulator on it: tabletop emulator --data %s\n", newDir, newDir)
	return nil
}

// folderError makes the emulator's refusal of a folder a usage error; the refusal names its remedy.
func folderError(err error) error {
	if emulator.FolderRefused(err) {
		return command.Usagef("%v", err)
	}
	return err
}
