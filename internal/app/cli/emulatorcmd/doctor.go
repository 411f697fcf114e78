package emulatorcmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// NewDoctor returns the command that examines and salvages a data folder.
func NewDoctor() *cobra.Command {
	var rootKey, salvage string
	cmd := &cobra.Command{
		Use:   "doctor DIR",
		Short: "Examine a data folder, and salvage a damaged one",
		Long: `Examine a data folder that no emulator runs on: its format, record, keys, manifest, logs, and each block of its tables. Nothing
is changed in it. Prints a line for each finding and a summary; the exit status is 1 where the folder is damaged.

With --salvage, what can be read is copied into a new folder, with a root key of its own. The newest readable version of each
key counts; where a block is lost, an older value or a deleted item may come back in the range of keys that is printed.`,
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
	cmd.Flags().StringVar(&rootKey, "root-key", "", "file of the key that the folder is encrypted by; without it root.key in the folder")
	cmd.Flags().StringVar(&salvage, "salvage", "", "new folder that gets what can be read")
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
var errDamaged = errors.New("the folder is damaged: restore a backup, or copy what can be read by --salvage NEWDIR")

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
	_, _ = fmt.Fprintf(out, "%s  format %d, %d tables, %d logs, %d entries", verdict, r.Format, r.Tables, r.Logs, r.Entries)
	if r.Opened > 0 {
		_, _ = fmt.Fprintf(out, ", %d sealed and opened", r.Opened)
	}
	if r.Sealed > 0 {
		_, _ = fmt.Fprintf(out, ", %d sealed, not opened", r.Sealed)
	}
	_, _ = fmt.Fprintln(out)
}

func runSalvage(out io.Writer, dir, rootKey, newDir string) error {
	report, err := emulator.SalvageFolder(dir, rootKey, newDir)
	if err != nil {
		return folderError(err)
	}
	printReport(out, report)
	for _, kept := range report.Kept {
		_, _ = fmt.Fprintf(out, "Kept  %8d  %s\n", kept.Count, kept.Kind)
	}
	for _, line := range report.Lost {
		_, _ = fmt.Fprintf(out, "Lost  %s\n", line)
	}
	if report.Unsure {
		_, _ = fmt.Fprintln(out, "The manifest is lost: deleted entries may have come back, look through them")
	}
	_, _ = fmt.Fprintf(out, "Salvaged into %s: start with tabletop emulator --data %s\n", newDir, newDir)
	return nil
}

// folderError makes the emulator's refusal of a folder a usage error; the refusal names its remedy.
func folderError(err error) error {
	if emulator.FolderRefused(err) {
		return command.Usagef("%v", err)
	}
	return err
}
