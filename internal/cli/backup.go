package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/emulator"
)

func newBackup() *cobra.Command {
	var rootKey string
	cmd := &cobra.Command{
		Use:   "backup DIR NEWDIR",
		Short: "Back up a data folder that no emulator runs on",
		Long: `Back up a data folder that no emulator runs on into a new folder. The folder is examined before, as tabletop doctor does, and
the copy after it; a damaged folder is not copied. To restore a backup, start on it, or on a backup of it. The root key goes
with it only where it lies in the folder.`,
		Example: `  tabletop backup ./data ./backups/monday
  tabletop backup ./data ./backups/monday --root-key ~/tabletop.key
  tabletop backup ./backups/monday ./restored && tabletop emulator --data ./restored`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return usagef("%s takes a folder and a new one: see %s --help", cmd.CommandPath(), cmd.CommandPath())
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := emulator.BackUpFolder(args[0], rootKey, args[1])
			if err != nil {
				return folderError(err)
			}
			printReport(cmd.OutOrStdout(), report)
			if report.Damaged {
				return errDamaged
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "Backed up into %s: start on it with tabletop emulator --data %s\n", args[1], args[1])
			return err
		},
	}
	cmd.Flags().StringVar(&rootKey, "root-key", "", "file of the key that the folder is encrypted by; without it root.key in the folder")
	return cmd
}
