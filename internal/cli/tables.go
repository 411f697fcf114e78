package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/features/targets"
)

// tablesFlags name the tables to act on.
type tablesFlags struct {
	target targetFlags
	prefix string
}

func newTables() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tables",
		Short: "Create, describe or drop tables on a target",
		Long: `Create, describe or drop the tables of the backends' documented schemas on a target that outlives the command; or
create those of a description, with their indexes, recovery, keys and alarms.`,
		Example: `  tabletop tables create
  tabletop tables create --file tables.yaml
  tabletop tables describe --target url=http://127.0.0.1:8000 --prefix dev-
  tabletop tables drop --target aws --yes-spend --prefix dev-`,
		Args: onlySubcommands,
		RunE: showHelp,
	}
	cmd.AddCommand(
		newTablesCreate(),
		newTablesDescribe(),
		tablesCommand("drop", "Delete the tables with all their items",
			"Delete the tables of the schemas with all their items. Tables that are not there are no error.", dropTables),
		newTablesSchema(),
	)
	return cmd
}

type tablesAction func(ctx context.Context, cmd *cobra.Command, client *dynamodb.Client, all []tables.Table) error

func tablesCommand(verb, short, long string, act tablesAction) *cobra.Command {
	var f tablesFlags
	cmd := &cobra.Command{
		Use:     verb,
		Short:   short,
		Long:    long,
		Example: fmt.Sprintf("  tabletop tables %s\n  tabletop tables %[1]s --target url=http://127.0.0.1:8000 --prefix dev-", verb),
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd, act)
		},
	}
	f.bind(cmd.Flags())
	return cmd
}

func (f *tablesFlags) bind(flags *pflag.FlagSet) {
	f.target.bind(flags, "url=http://127.0.0.1:8000")
	flags.StringVar(&f.prefix, "prefix", "", "text before each table's name")
}

func (f *tablesFlags) run(cmd *cobra.Command, act tablesAction) (err error) {
	if kind := targets.Kind(f.target.name); kind == targets.Embedded || kind == targets.DynamoDBLocal {
		return usagef("the target %s is gone when the command ends: give url=http://HOST:PORT or aws", kind)
	}
	if err := checkPrefix(f.prefix); err != nil {
		return err
	}
	ctx := cmd.Context()
	t, err := f.target.open(ctx, logger(cmd))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	var all []tables.Table
	for _, schema := range backend.Schemas(f.prefix) {
		all = append(all, schema.Tables...)
	}
	return act(ctx, cmd, t.DynamoDB(), all)
}

func createTables(ctx context.Context, cmd *cobra.Command, client *dynamodb.Client, all []tables.Table) error {
	if err := tables.Create(ctx, client, all); err != nil {
		return err
	}
	return describeTables(ctx, cmd, client, all)
}

func dropTables(ctx context.Context, cmd *cobra.Command, client *dynamodb.Client, all []tables.Table) error {
	if err := tables.Drop(ctx, client, all); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%d tables are gone\n", len(all))
	return err
}

func describeTables(ctx context.Context, cmd *cobra.Command, client *dynamodb.Client, all []tables.Table) error {
	described, err := tables.Describe(ctx, client, all)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "TABLE\tSTATUS\tITEMS\tBYTES\tINDEXES\tTTL")
	for _, d := range described {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\n", d.Name, d.Status, d.Items, d.Bytes, orDash(strings.Join(d.Indexes, " ")), orDash(d.TTLAttribute))
	}
	return w.Flush()
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// longestPrefix leaves room for the longest table name behind it: DynamoDB takes 255 characters.
const longestPrefix = 200

// checkPrefix refuses a prefix that no table name can begin with.
func checkPrefix(prefix string) error {
	wrong := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.-", r))
	}
	if strings.ContainsFunc(prefix, wrong) || len(prefix) > longestPrefix {
		return usagef("--prefix %q: give at most %d letters, digits, and _ . -", prefix, longestPrefix)
	}
	return nil
}
