package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/transfer"
)

// queryFlags holds the flags for what to read, and how to print it.
type queryFlags struct {
	data         dataFlags
	key          string
	index        string
	filter       string
	projection   string
	descending   bool
	consistent   bool
	partitionKey string
	limit        int
	output       string
}

func newQuery() *cobra.Command {
	var f queryFlags
	cmd := &cobra.Command{
		Use:   "query [STATEMENT]",
		Short: "Read items with PartiQL, a key condition or SQL",
		Long: `Read items and print them as a table, JSON or CSV. What to read is one of:

  a statement of PartiQL, for DynamoDB
  --table with --key, which queries a partition, or without, which scans
  --container with a query of Cosmos DB's SQL

Conditions are those of DynamoDB with the values in place: texts in quotes, numbers, true, false, null. Names that have
other characters than letters, digits, _ and - are in backquotes. The consumed capacity is printed on the error stream.`,
		Example: `  tabletop query "SELECT * FROM orders WHERE customer = 'ana'"
  tabletop query --table orders --key 'customer = "ana" and date begins_with "2026-"' --desc
  tabletop query --table orders --filter 'total > 100' --projection customer,total --output csv
  tabletop query --container shop/orders 'SELECT c.id, c.total FROM c WHERE c.total > 100'
  tabletop query --container shop/orders --partition-key '"ana"' 'SELECT VALUE COUNT(1) FROM c'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return command.Usagef("unexpected argument %q: put the statement in quotes", args[1])
			}
			return f.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	command.GroupFlags(flags, "Database", f.data.bind)
	command.GroupFlags(flags, "Cosmos DB", f.data.bindCosmos)
	command.GroupFlags(flags, "Items", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.key, "key", "", "Condition of the key, such as 'customer = \"ana\" and total > 100'.")
		flags.StringVar(&f.index, "index", "", "Index to read instead of the table.")
		flags.StringVar(&f.filter, "filter", "", "Condition of other attributes.")
		flags.StringVar(&f.projection, "projection", "", "Attributes to print, such as id,address.city. Default: all.")
		flags.BoolVar(&f.descending, "desc", false, "Read the partition from the end.")
		flags.BoolVar(&f.consistent, "consistent", false, "Read with strong consistency, which costs twice as much.")
		flags.StringVar(&f.partitionKey, "partition-key", "",
			"Cosmos DB: partition key as JSON, such as '\"ana\"'. Default: all partitions.")
		flags.IntVar(&f.limit, "limit", 0, "Maximum number of items to print. Default: 100 for table, otherwise all.")
	})
	flags.StringVar(&f.output, "output", "table", "Output format: table, json, jsonl or csv.")
	f.data.offer(cmd)
	f.data.offerContainers(cmd)
	command.Offer(cmd, "output", command.Fixed("table", "json", "jsonl", "csv"))
	return cmd
}

// tableLimit is how many items are printed as a table unless --limit says otherwise.
const tableLimit = 100

// check checks the flags.
func (f *queryFlags) check(args []string) error {
	f.limitByDefault()
	isStatement, isCosmos := len(args) == 1, f.data.container != ""
	onlyTables := f.key != "" || f.index != "" || f.filter != "" || f.projection != "" || f.descending
	switch {
	case f.data.table != "" && isCosmos:
		return command.Usagef("--table and --container are of two databases: use one of them")
	case isCosmos && !isStatement:
		return command.Usagef("--container requires a query: such as 'SELECT * FROM c'")
	case f.data.table == "" && !isStatement:
		return command.Usagef("nothing to read: give a statement, or set --table")
	case f.data.table != "" && isStatement:
		return command.Usagef("the statement names its table: omit --table, or use --key and --filter")
	case isStatement && onlyTables:
		return command.Usagef("--key, --index, --filter, --projection and --desc require --table: write them in the statement")
	case f.descending && f.key == "":
		return command.Usagef("--desc requires --key: a scan has no order")
	case f.partitionKey != "" && !isCosmos:
		return command.Usagef("--partition-key requires --container")
	case f.consistent && isCosmos:
		return command.Usagef("--consistent is for DynamoDB: a Cosmos DB account has its own consistency")
	case f.limit < 0:
		return command.Usagef("--limit %d is negative: use 1 or more", f.limit)
	}
	return nil
}

func (f *queryFlags) limitByDefault() {
	if f.limit == 0 && f.output == "table" {
		f.limit = tableLimit
	}
}

func (f *queryFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	started := time.Now()
	r := &queryRun{flags: f}
	read, err := f.reader(cmd, args, r)
	if err != nil {
		return err
	}
	if r.out, err = newRowWriter(f.output, command.DataOutput(cmd), cmd.OutOrStdout(), r); err != nil {
		return err
	}
	defer r.out.Abort()
	if err := read(cmd.Context()); err != nil {
		if cmd.Context().Err() != nil {
			return command.Stoppedf(cmd.Context(), " after %s: the output is incomplete", count(r.items, "item"))
		}
		return err
	}
	if err := r.out.Close(); err != nil {
		return err
	}
	more := ""
	if r.isCut {
		more = ": there are more, see --limit"
	}
	_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "%s in %s, %s%s\n", count(r.items, "item"),
		time.Since(started).Round(time.Millisecond), r.cost(), more)
	return nil
}

// queryRun is a query that is running.
type queryRun struct {
	flags *queryFlags
	key   []string // attributes that come first
	out   rowWriter
	items int64
	isCut bool // by the limit
	units float64
}

func (r *queryRun) cost() string {
	if r.flags.data.container != "" {
		return fmt.Sprintf("%.2f RU", r.units)
	}
	if r.flags.data.table == "" {
		return unitsOf(r.units, "capacity") // statements may write
	}
	return unitsOf(r.units, "read")
}

// reader opens the database, and returns what reads the items.
func (f *queryFlags) reader(cmd *cobra.Command, args []string, r *queryRun) (func(context.Context) error, error) {
	if f.data.container != "" {
		c, err := f.data.openContainer(cmd)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) error { return c.Query(ctx, args[0], f.partitionKey, r.documents) }, nil
	}
	db, err := f.data.open(cmd)
	if err != nil {
		return nil, err
	}
	if len(args) == 1 {
		return func(ctx context.Context) error {
			return transfer.Statement(ctx, db, args[0], f.consistent, r.page)
		}, nil
	}
	table, err := describeTable(cmd, db, f.data.table)
	if err != nil {
		return nil, err
	}
	r.key = transfer.Key(table)
	if f.key == "" {
		o := transfer.ScanOptions{Table: f.data.table, Index: f.index, Key: r.key, Segments: 1, Filter: f.filter,
			Projection: f.projection, Consistent: f.consistent}
		return func(ctx context.Context) error { return transfer.Scan(ctx, db, o, r.page) }, nil
	}
	o := transfer.QueryOptions{Table: f.data.table, Index: f.index, Key: r.key, Condition: f.key, Filter: f.filter,
		Projection: f.projection, Descending: f.descending, Consistent: f.consistent, Limit: f.limit}
	return func(ctx context.Context) error { return transfer.Query(ctx, db, o, r.page) }, nil
}

// page prints the items of a page.
func (r *queryRun) page(p transfer.Page) error {
	r.units += p.Units
	for _, item := range p.Items {
		if r.isFull() {
			return transfer.ErrStop
		}
		if err := r.out.Write(item); err != nil {
			return err
		}
	}
	return nil
}

// documents prints the results of a page. A result that is not a document is printed as its value.
func (r *queryRun) documents(p transfer.DocumentPage) error {
	r.units += p.RequestUnits
	for _, text := range p.Documents {
		if r.isFull() {
			return transfer.ErrStop
		}
		if err := r.out.WriteJSON(text); err != nil {
			return err
		}
	}
	return nil
}

// isFull counts an item, and reports whether it is beyond the limit.
func (r *queryRun) isFull() bool {
	if r.flags.limit > 0 && r.items == int64(r.flags.limit) {
		r.isCut = true
		return true
	}
	r.items++
	return false
}
