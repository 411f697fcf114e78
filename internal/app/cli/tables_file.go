package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/model/tablefile"
)

// tableFileFlags holds the flags for a table file.
type tableFileFlags struct {
	file  string
	diff  bool
	prune bool
}

func newTablesCreate() *cobra.Command {
	var f tablesFlags
	var d tableFileFlags
	cmd := &cobra.Command{
		Use:   "create [SYSTEM...]",
		Short: "Create missing tables",
		Long: `Create the missing tables of the given systems, or of all systems, with the TTL, point-in-time recovery, keys and
alarms of their documents, and wait until they are active.

With --file, create the tables of a table file, with their indexes, capacity, TTL, point-in-time recovery, customer
managed keys, streams, tags, policies and alarms. The same file works on the emulator, on any DynamoDB endpoint and on
AWS. Existing tables are kept, and differences are changed in place. If a difference cannot be changed in place, nothing
is changed. docs/tables.md describes the format; tabletop tables schema prints an example.`,
		Example: `  tabletop tables create
  tabletop tables create kefir devicetoken
  tabletop tables create --target url=http://127.0.0.1:8000 --prefix dev-
  tabletop tables create --file tables.yaml --diff
  tabletop tables create --file tables.yaml --target aws --yes-spend`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if d.file != "" && len(args) > 0 {
				return command.Usagef("--file cannot be combined with names of systems: use one of them")
			}
			if d.file == "" && (d.diff || d.prune) {
				return command.Usagef("--diff and --prune require --file")
			}
			if d.file == "" {
				return f.run(cmd, args, createTables)
			}
			return d.create(cmd, &f)
		},
	}
	f.bind(cmd.Flags())
	cmd.Flags().StringVar(&d.file, "file", "", "YAML table file. Default: the tables of the backends.")
	cmd.Flags().BoolVar(&d.diff, "diff", false, "Show the changes without making them.")
	cmd.Flags().BoolVar(&d.prune, "prune", false,
		"Delete indexes, tags and alarms of these tables that the file does not contain.")
	command.OfferArguments(cmd, command.Fixed(backend.DynamoDBNames()...))
	return cmd
}

// create makes a target's tables match the table file.
func (d *tableFileFlags) create(cmd *cobra.Command, f *tablesFlags) (err error) {
	file, err := readTableFile("--file", d.file)
	if err != nil {
		return err
	}
	if err := checkPrefix(f.prefix); err != nil {
		return err
	}
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	t, err := f.target.open(ctx, command.Logger(cmd))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	target, err := tablefile.NewTarget(ctx, t.Config)
	if err != nil {
		return err
	}
	plan, err := target.Compare(ctx, file.WithPrefix(f.prefix), tablefile.Options{Prune: d.prune})
	if err != nil {
		return err
	}
	if len(plan.Refused) > 0 {
		return command.Usagef("nothing was changed: %s", strings.Join(plan.Refused, "; "))
	}
	showPlan(out, plan)
	if d.diff {
		for _, s := range plan.Steps {
			_, _ = fmt.Fprintf(out, "planned    %s\n", s)
		}
	} else {
		err = plan.Do(ctx, target, func(s tablefile.Step) { _, _ = fmt.Fprintf(out, "done       %s\n", s) })
	}
	for _, note := range target.Notes {
		_, _ = fmt.Fprintf(out, "note       %s\n", note)
	}
	return err
}

// readTableFile reads a table file that a flag names. Errors are usage errors.
func readTableFile(flag, name string) (*tablefile.File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, command.Usagef("%s: %v: use a table file such as tabletop tables schema prints", flag, err)
	}
	file, err := tablefile.Parse(name, text)
	if err != nil {
		return nil, command.Usagef("%v", err)
	}
	return file, nil
}

// showPlan prints what already matches the table file, and what only the target has, which --prune deletes.
func showPlan(out io.Writer, p *tablefile.Plan) {
	for _, text := range p.Unchanged {
		_, _ = fmt.Fprintf(out, "unchanged  %s\n", text)
	}
	for _, text := range p.Kept {
		_, _ = fmt.Fprintf(out, "kept       %s\n", text)
	}
}

func newTablesDescribe() *cobra.Command {
	var f tablesFlags
	var asFile, asJSON bool
	cmd := &cobra.Command{
		Use:   "describe [SYSTEM...|TABLE...]",
		Short: "Show the tables of a target",
		Long: `Show the status, items, bytes, indexes and TTL attribute of each table of the given systems, or of all systems.

With --as-file, print a table file of the given tables, or of all tables of the target. To create the same tables on
another target, use it with tabletop tables create --file.`,
		Example: `  tabletop tables describe
  tabletop tables describe --target url=http://127.0.0.1:8000 --prefix dev-
  tabletop tables describe --as-file orders customers > tables.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case asFile && asJSON:
				return command.Usagef("a table file is YAML: omit --as-file or --output json")
			case asFile:
				return f.describeAsFile(cmd.Context(), cmd, args)
			}
			if _, err := backend.ChooseDynamoDB(args...); err != nil {
				return command.Usagef("%v; or add --as-file to describe tables", err)
			}
			if asJSON {
				return f.run(cmd, args, describeTablesAsJSON)
			}
			return f.run(cmd, args, describeTables)
		},
	}
	f.bind(cmd.Flags())
	command.BindOutput(cmd.Flags(), &asJSON)
	cmd.Flags().BoolVar(&asFile, "as-file", false, "Print a table file for tabletop tables create --file.")
	command.OfferArguments(cmd, func(ctx context.Context) []string {
		if asFile {
			return f.target.tables(ctx, cmd, f.prefix)
		}
		return backend.DynamoDBNames()
	})
	return cmd
}

func (f *tablesFlags) describeAsFile(ctx context.Context, cmd *cobra.Command, names []string) (err error) {
	if err := checkPrefix(f.prefix); err != nil {
		return err
	}
	for i := range names {
		names[i] = f.prefix + names[i]
	}
	t, err := f.target.open(ctx, command.Logger(cmd))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	target, err := tablefile.NewTarget(ctx, t.Config)
	if err != nil {
		return err
	}
	file, err := target.Read(ctx, names)
	if err != nil {
		return err
	}
	text, err := file.WithoutPrefix(f.prefix).OmitDefaults().Write()
	if err != nil {
		return err
	}
	for _, note := range target.Notes {
		_, _ = fmt.Fprintf(cmd.OutOrStdout(), "# %s\n", note)
	}
	_, err = cmd.OutOrStdout().Write(text)
	return err
}

func newTablesSchema() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema SYSTEM",
		Short: "Print the table file of a system",
		Long: "Print the tables of a system as a table file for tabletop tables create --file.\n\nSYSTEM is one of " +
			strings.Join(backend.DynamoDBNames(), ", ") + ".",
		Example: "  tabletop tables schema telemetry > tables.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			systems, err := backend.ChooseDynamoDB(args...)
			if err != nil || len(args) != 1 {
				return command.Usagef("%s takes one system: %s", cmd.CommandPath(), strings.Join(backend.DynamoDBNames(), ", "))
			}
			_, err = cmd.OutOrStdout().Write(systems[0].Description())
			return err
		},
	}
	command.OfferArguments(cmd, command.Fixed(backend.DynamoDBNames()...))
	return cmd
}
