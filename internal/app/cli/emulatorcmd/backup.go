package emulatorcmd

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// backupFlags holds the flags of the backup command.
type backupFlags struct {
	admin     AdminFlags
	rootKey   string
	minFreeMB uint64
}

// NewBackup returns the command that copies a data folder, including one in use.
func NewBackup() *cobra.Command {
	var f backupFlags
	cmd := &cobra.Command{
		Use:   "backup [DIR] NEWDIR",
		Short: "Back up a data folder, also that of an emulator that runs",
		Long: `Back up a data folder into a new one, which tabletop emulator --data starts on.

With one folder, the emulator at --endpoint is backed up while it runs with --data: as of one moment, with every write that was
acknowledged before, and no transaction in part. Its clients do not wait. It needs no more of its disk than its logs are long, and
the new folder as much as the data. What is interrupted leaves no folder of that name.

With two, a folder that no emulator runs on is copied. It is examined before, as tabletop doctor does.

The new folder is examined; a damaged folder is not backed up. The root key goes with it only where it lies in the folder; one that
lies elsewhere is needed for the backup too, and --root-key names it for the examination.`,
		Example: `  tabletop backup ./backups/monday
  tabletop backup ./backups/monday --endpoint http://127.0.0.1:8000 --root-key ~/tabletop.key
  tabletop backup ./data ./backups/monday
  tabletop backup ./backups/monday ./restored && tabletop emulator --data ./restored`,
		Args: backupArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return f.running(cmd.Context(), cmd.OutOrStdout(), args[0])
			}
			return backUpFolder(cmd.OutOrStdout(), args[0], f.rootKey, args[1])
		},
	}
	flags := cmd.Flags()
	f.admin.bind(flags)
	flags.StringVar(&f.rootKey, "root-key", "", "file of the key that the folder is encrypted by; without it root.key in the folder")
	flags.Uint64Var(&f.minFreeMB, "min-free-mb", emulator.DefaultMinFreeSpace>>20, "free megabytes that the disk of NEWDIR keeps when an emulator that runs is backed up, or a tenth of a small disk; 0 is no limit")
	return cmd
}

// backupArguments rejects a wrong number of arguments, and --endpoint together with a folder to back up. Its
// environment variable is read later and may be set anyway.
func backupArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 || len(args) > 2:
		return command.Usagef("%s takes a new folder, or a folder and a new one: see %s --help", cmd.CommandPath(), cmd.CommandPath())
	case len(args) == 2 && cmd.Flags().Changed("endpoint"):
		return command.Usagef("--endpoint names an emulator that runs: give the new folder alone, as in %s %s --endpoint URL", cmd.CommandPath(), args[1])
	}
	return nil
}

func backUpFolder(out io.Writer, dir, rootKey, newDir string) error {
	report, err := emulator.BackUpFolder(dir, rootKey, newDir)
	if err != nil {
		return folderError(err)
	}
	printReport(out, report)
	if report.Damaged {
		return errDamaged
	}
	return printBackedUp(out, newDir)
}

func printBackedUp(out io.Writer, newDir string) error {
	_, err := fmt.Fprintf(out, "Backed up into %s: start on it with tabletop emulator --data %s\n", newDir, newDir)
	return err
}
