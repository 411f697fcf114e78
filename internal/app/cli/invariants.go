package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/emulator/invariants"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

func newInvariants() *cobra.Command {
	var f dataFlags
	var prefix string
	cmd := &cobra.Command{
		Use:   "invariants FILE",
		Short: "Check what must hold in tables and containers",
		Long: `Check the invariants of a file on a database: a condition that each item meets, a sum, attributes that no two items
share, items that belong to each other, statements and queries that find nothing. What breaks one is printed, and the
exit status is then 1. docs/invariants.md describes the file; tabletop explore --invariants checks it after each run.`,
		Example: `  tabletop invariants invariants.yaml
  tabletop invariants invariants.yaml --target aws --yes-spend --prefix dev-`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Usagef("%s takes one file of invariants: see %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			return runInvariants(cmd, &f, prefix, args[0])
		},
	}
	flags := cmd.Flags()
	f.bindDatabase(flags)
	f.bindAccount(flags)
	flags.StringVar(&prefix, "prefix", "", "Prefix of table names; not in statements.")
	return cmd
}

// runInvariants checks the invariants of a file, and prints a line for each.
func runInvariants(cmd *cobra.Command, f *dataFlags, prefix, file string) error {
	set, err := invariants.Read(file)
	if err != nil {
		return command.Usagef("%v", err)
	}
	var d invariants.Databases
	if d.DynamoDB, err = f.open(cmd); err != nil {
		return err
	}
	d.Prefix = prefix
	if set.HasCosmos() {
		if d.Cosmos, err = f.cosmos.open(cmd.Context(), f.target.yesSpend); err != nil {
			return err
		}
	}
	breaks, err := set.Check(cmd.Context(), d)
	for _, b := range breaks {
		_, _ = fmt.Fprintln(cmd.OutOrStdout(), b)
	}
	if err != nil {
		return err
	}
	verdict := "PASS"
	if len(breaks) > 0 {
		verdict = "FAIL"
	}
	_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s  %d of %s hold\n", verdict, len(set.Invariants)-len(breaks),
		count(int64(len(set.Invariants)), "invariant"))
	if len(breaks) > 0 {
		return fmt.Errorf("%s broken", count(int64(len(breaks)), "invariant"))
	}
	return nil
}
