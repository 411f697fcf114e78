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
		Short: "Back up a data folder or a running emulator",
		Long: `Back up a data folder to a new folder. To start an emulator on the backup, use tabletop emulator --data.

With NEWDIR alone, back up the running emulator at --endpoint, which must have been started with --data. The backup is
consistent: it contains every write that was acknowledged before it began, and only whole transactions. The
backup does not block requests. On the emulator's disk it needs at most the size of the logs, and in NEWDIR the size of
the data. An interrupted backup leaves no folder behind.

With DIR and NEWDIR, back up a folder that no emulator is using, after checking it as tabletop doctor does.

The backup is checked, and a damaged folder is not backed up. A root key inside the data folder is included in the
backup. A root key outside the data folder is not: keep it, because the backup cannot be read without it, and set
--root-key to its file so that the backup can be checked.`,
		Example: `  tabletop backup ./backups/monday
  tabletop backup ./backups/monday --endpoint http://127.0.0.1:8000 --root-key ~/tabletop.key
  tabletop backup ./data ./backups/monday
  tabletop backup ./backups/monday ./restored && tabletop emulator --data ./restored`,
		Args: backupArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return f.backUpRunning(cmd.Context(), cmd.OutOrStdout(), args[0])
			}
			return backUpFolder(cmd.OutOrStdout(), args[0], f.rootKey, args[1])
		},
	}
	flags := cmd.Flags()
	f.admin.bind(flags)
	flags.StringVar(&f.rootKey, "root-key", "", "File with the folder's root key. Default: root.key in the folder.")
	flags.Uint64Var(&f.minFreeMB, "min-free-mb", emulator.DefaultMinFreeSpace>>20, "Disk space to leave free on the disk "+
		"of NEWDIR during the backup of a running emulator, in MiB; at most a tenth of the disk. 0 means no limit.")
	return cmd
}

// backupArguments rejects a wrong number of arguments, and --endpoint together with a folder to back up. Its
// environment variable is read later and may be set anyway.
func backupArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 || len(args) > 2:
		return command.Usagef("%s takes NEWDIR, or DIR and NEWDIR: see %s --help", cmd.CommandPath(), cmd.CommandPath())
	case len(args) == 2 && cmd.Flags().Changed("endpoint"):
		return command.Usagef(
			"--endpoint cannot be combined with DIR: to back up a running emulator, use %s %s --endpoint URL",
			cmd.CommandPath(), args[1])
	}
	return nil
}

func backUpFolder(out io.Writer, dir, rootKey, newDir string) error {
	report, err := emulator.BackUpFolder(dir, rootKey, newDir)
	if err != nil {
		return folderError(err)
	}
	printSummary(out, report)
	if report.Damaged {
		return errDamaged
	}
	return printBackedUp(out, newDir)
}

func printBackedUp(out io.Writer, newDir string) error {
	_, err := fmt.Fprintf(out, "Backed up to %s; to start an emulator on it: tabletop emulator --data %s\n",
		newDir, newDir)
	return err
}
