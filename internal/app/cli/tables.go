package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/indented"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// tablesFlags holds the flags for which tables to act on.
type tablesFlags struct {
	target targetFlags
	prefix string
}

func newTables() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tables",
		Short: "Create, describe or delete tables on a target",
		Long: `Create, describe or delete the tables of the backends' documented schemas on a target, or create the tables of a table
file with their indexes, point-in-time recovery, keys and alarms.`,
		Example: `  tabletop tables create
  tabletop tables create --file tables.yaml
  tabletop tables describe --target url=http://127.0.0.1:8000 --prefix dev-
  tabletop tables drop --target aws --yes-spend --prefix dev-`,
		Args: command.OnlySubcommands,
		RunE: command.ShowHelp,
	}
	cmd.AddCommand(
		newTablesCreate(),
		newTablesDescribe(),
		tablesCommand("drop", "Delete tables with all their items",
			"Delete the tables of the schemas with all their items. Keys and alarms are kept. Missing tables are ignored.",
			dropTables),
		newTablesSchema(),
	)
	return cmd
}

// systemTables is a system's tables on a target.
type systemTables struct {
	system backend.System
	config aws.Config
	prefix string
}

func (p systemTables) client() *dynamodb.Client { return dynamodb.NewFromConfig(p.config) }
func (p systemTables) tables() []tables.Table   { return p.system.Schema(p.prefix).Tables }

type tablesAction func(ctx context.Context, cmd *cobra.Command, selected []systemTables) error

func tablesCommand(verb, short, long string, act tablesAction) *cobra.Command {
	var f tablesFlags
	cmd := &cobra.Command{
		Use:   verb + " [SYSTEM...]",
		Short: short,
		Long:  long + "\n\nSYSTEM is one of " + strings.Join(backend.DynamoDBNames(), ", ") + ". Default: all of them.",
		Example: fmt.Sprintf(
			"  tabletop tables %s\n  tabletop tables %[1]s telemetry --target url=http://127.0.0.1:8000 --prefix dev-", verb),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, args, act)
		},
	}
	f.bind(cmd.Flags())
	command.OfferArguments(cmd, command.Fixed(backend.DynamoDBNames()...))
	return cmd
}

func (f *tablesFlags) bind(flags *pflag.FlagSet) {
	f.target.bindRunning(flags)
	flags.StringVar(&f.prefix, "prefix", "", "Prefix of table names.")
}

func (f *tablesFlags) run(cmd *cobra.Command, names []string, act tablesAction) (err error) {
	systems, err := backend.ChooseDynamoDB(names...)
	if err != nil {
		return command.Usagef("%v", err)
	}
	if err := f.target.checkRunning(); err != nil {
		return err
	}
	if err := checkPrefix(f.prefix); err != nil {
		return err
	}
	ctx := cmd.Context()
	t, err := f.target.open(ctx, command.Logger(cmd))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	var selected []systemTables
	for _, system := range systems {
		cfg, err := system.RegionalConfig(t.Config)
		if err != nil {
			return command.Usagef("%v; or select other systems", err)
		}
		selected = append(selected, systemTables{system, cfg, f.prefix})
	}
	return act(ctx, cmd, selected)
}

func createTables(ctx context.Context, cmd *cobra.Command, selected []systemTables) error {
	printed := map[string]bool{}
	for _, p := range selected {
		notes, err := p.system.Create(ctx, p.config, p.prefix)
		if err != nil {
			return err
		}
		for _, note := range notes {
			if !printed[note] {
				_, _ = fmt.Fprintf(cmd.OutOrStdout(), "note: %s\n", note)
			}
			printed[note] = true
		}
	}
	return describeTables(ctx, cmd, selected)
}

func dropTables(ctx context.Context, cmd *cobra.Command, selected []systemTables) error {
	deleted := 0
	for _, p := range selected {
		if err := tables.Drop(ctx, p.client(), p.tables()); err != nil {
			return err
		}
		deleted += len(p.tables())
	}
	_, err := thousands.Fprintf(cmd.OutOrStdout(), "Deleted %d tables\n", deleted)
	return err
}

func describeTables(ctx context.Context, cmd *cobra.Command, selected []systemTables) error {
	all, err := descriptions(ctx, selected)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "TABLE\tSTATUS\tITEMS\tBYTES\tINDEXES\tTTL")
	for _, d := range all {
		_, _ = thousands.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\n", d.Name, d.Status, d.Items, d.Bytes,
			orDash(strings.Join(d.Indexes, " ")), orDash(d.TTLAttribute))
	}
	return w.Flush()
}

func describeTablesAsJSON(ctx context.Context, cmd *cobra.Command, selected []systemTables) error {
	all, err := descriptions(ctx, selected)
	if err != nil {
		return err
	}
	return indented.WriteJSON(cmd.OutOrStdout(), all)
}

// descriptions describes the tables of systems, in order.
func descriptions(ctx context.Context, selected []systemTables) (all []tables.Description, err error) {
	for _, p := range selected {
		described, err := tables.Describe(ctx, p.client(), p.tables())
		if err != nil {
			return nil, err
		}
		all = append(all, described...)
	}
	return all, nil
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// maxPrefixLength is the longest allowed prefix, in characters. It leaves room for the longest table name: DynamoDB
// allows 255 characters.
const maxPrefixLength = 200

// checkPrefix rejects a prefix that no table name can begin with.
func checkPrefix(prefix string) error {
	invalid := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.-", r))
	}
	if strings.ContainsFunc(prefix, invalid) || len(prefix) > maxPrefixLength {
		return command.Usagef("--prefix %q is invalid: use at most %d letters, digits, and the characters _ . -", prefix,
			maxPrefixLength)
	}
	return nil
}
