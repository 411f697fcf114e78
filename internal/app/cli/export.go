package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/transfer"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
	"github.com/tabletop-db/tabletop/internal/util/indented"
	"github.com/tabletop-db/tabletop/simulators/live"
)

// exportFlags holds the flags for what to export, and how.
type exportFlags struct {
	data       dataFlags
	index      string
	filter     string
	projection string
	consistent bool
	segments   int
	format     string
	out        string
	json       bool
}

// exportFormats returns the formats that items are written in.
func exportFormats() []datafile.Format {
	return []datafile.Format{datafile.JSON, datafile.DynamoJSON, datafile.CSV, datafile.AWSExport, datafile.Workbench}
}

func newExport() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the items of a table or container to a file",
		Long: `Write the items of a DynamoDB table or index, or of a Cosmos DB container, to a file or to standard output. The file is complete or does not exist:
it is written under another name first. tabletop import reads each format without a loss:

  json           plain JSON, one item per line; sets and binary values are
                 objects such as {"$stringSet": ["a"]}
  dynamodb-json  {"Item": {"id": {"S": "7"}}}, one item per line
  csv            one column per attribute and type; sets, lists and maps are
                 JSON
  aws-export     a folder like that of a full export to S3
  workbench      a model of NoSQL Workbench with the table, its indexes and
                 its items as sample data, at most 32 MB

A container is written as json or csv, without the properties that Cosmos DB adds.

A filter is a condition on attributes, with texts in quotes; names that have other characters than letters, digits, _ and
- are in backquotes. Items are read with scans; they cost read capacity, also those that the filter leaves out. The
filter of a container is SQL, such as 'c.total > 100'.`,
		Example: `  tabletop export --table orders --out orders.jsonl
  tabletop export --table orders --out orders.csv.gz
  tabletop export --table orders --format dynamodb-json | gzip > orders.gz
  tabletop export --table orders --format aws-export --out orders-export
  tabletop export --table orders --format workbench --out orders-model.json
  tabletop export --container shop/orders --out orders.jsonl
  tabletop export --table orders --filter 'status = "open" and total > 100' --projection id,total`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	command.GroupFlags(flags, "Database", f.data.bind)
	command.GroupFlags(flags, "Cosmos DB", f.data.bindCosmos)
	command.GroupFlags(flags, "Items", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.index, "index", "", "Index to read instead of the table.")
		flags.StringVar(&f.filter, "filter", "", "Condition of the items, such as 'status = \"open\"'.")
		flags.StringVar(&f.projection, "projection", "", "Attributes to write, such as id,address.city. Default: all.")
		flags.BoolVar(&f.consistent, "consistent", false, "Read with strong consistency, which costs twice as much.")
		flags.IntVar(&f.segments, "segments", 4, "Number of parallel scans, 1 to 64.")
	})
	command.GroupFlags(flags, "File", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.out, "out", "-",
			"File, or folder of the format aws-export. A name that ends with .gz is compressed.")
		flags.StringVar(&f.format, "format", "", "Format: one of the list above. Default: csv for .csv, otherwise json.")
	})
	command.BindOutput(flags, &f.json)
	f.data.offer(cmd)
	f.data.offerContainers(cmd)
	command.Offer(cmd, "format", command.Fixed(formatNames(exportFormats())...))
	return cmd
}

// check checks the flags and returns the format.
func (f *exportFlags) check() (datafile.Format, error) {
	format, err := parseFormat(f.format, exportFormats())
	if err != nil {
		return "", err
	}
	if format == "" {
		format = datafile.JSON
		if strings.HasSuffix(strings.TrimSuffix(f.out, ".gz"), ".csv") {
			format = datafile.CSV
		}
	}
	switch {
	case f.data.table == "" && f.data.container == "":
		return "", command.Usagef("nothing to export: set --table or --container")
	case f.data.table != "" && f.data.container != "":
		return "", command.Usagef("--table and --container are of two databases: use one of them")
	case f.data.container != "" && (f.index != "" || f.projection != "" || f.consistent):
		return "", command.Usagef("--index, --projection and --consistent are for tables: use tabletop query --container")
	case f.data.container != "" && format != datafile.JSON && format != datafile.CSV:
		return "", command.Usagef("a container is not written as %s: use json or csv", format)
	case format == datafile.Workbench && (f.index != "" || f.projection != ""):
		return "", command.Usagef("a model has whole items of a table: use --format workbench without --index and --projection")
	case f.segments < 1 || f.segments > 64:
		return "", command.Usagef("--segments %d is out of range: use 1 to 64", f.segments)
	case format == datafile.AWSExport && f.out == "-":
		return "", command.Usagef("the format aws-export is a folder: set --out to one that does not exist")
	case f.json && f.out == "-":
		return "", command.Usagef("--output json would be among the items on standard output: set --out")
	}
	return format, nil
}

func (f *exportFlags) run(cmd *cobra.Command) error {
	format, err := f.check()
	if err != nil {
		return err
	}
	started := time.Now()
	source, err := f.open(cmd)
	if err != nil {
		return err
	}
	source.options.format, source.options.export.Start = format, started
	file, err := createFile(f.out, command.DataOutput(cmd), source.options)
	if err != nil {
		return err
	}
	defer file.Abort()
	report := exportReport{Table: f.data.table, Container: f.data.container, Index: f.index, File: f.out, Format: format}
	line := live.New(cmd.ErrOrStderr())
	err = source.read(cmd.Context(), func(p transfer.Page) error { return report.add(file, line, p, started) })
	if err == nil {
		err = file.Close()
	}
	line.Done()
	if cmd.Context().Err() != nil {
		err = command.Stoppedf(cmd.Context(), "")
	}
	return f.finish(cmd, &report, time.Since(started), err)
}

// exportSource is an open table or container.
type exportSource struct {
	options fileOptions
	read    func(context.Context, func(transfer.Page) error) error
}

func (f *exportFlags) open(cmd *cobra.Command) (*exportSource, error) {
	if f.data.container != "" {
		return f.openContainer(cmd)
	}
	db, err := f.data.open(cmd)
	if err != nil {
		return nil, err
	}
	table, err := describeTable(cmd, db, f.data.table)
	if err != nil {
		return nil, err
	}
	o := transfer.ScanOptions{Table: f.data.table, Index: f.index, Key: transfer.Key(table), Segments: f.segments,
		Filter: f.filter, Projection: f.projection, Consistent: f.consistent}
	export := datafile.ExportInfo{TableARN: aws.ToString(table.TableArn), TableID: aws.ToString(table.TableId)}
	read := func(ctx context.Context, page func(transfer.Page) error) error {
		return transfer.Scan(ctx, db, o, page)
	}
	schema, err := transfer.WholeSchemaOf(table)
	return &exportSource{fileOptions{key: o.Key, export: export, schema: schema}, read}, err
}

func (f *exportFlags) openContainer(cmd *cobra.Command) (*exportSource, error) {
	c, err := f.data.openContainer(cmd)
	if err != nil {
		return nil, err
	}
	text := "SELECT * FROM c"
	if f.filter != "" {
		text += " WHERE " + f.filter
	}
	read := func(ctx context.Context, page func(transfer.Page) error) error {
		return c.Query(ctx, text, "", func(p transfer.DocumentPage) error {
			items, err := documents(p.Documents)
			if err != nil {
				return err
			}
			return page(transfer.Page{Items: items, Scanned: int64(len(items)), Units: p.RequestUnits})
		})
	}
	return &exportSource{fileOptions{key: []string{"id"}, documents: true}, read}, nil
}

// documents reads documents, without the properties that Cosmos DB adds.
func documents(texts [][]byte) (all []datafile.Item, err error) {
	for _, text := range texts {
		document, err := datafile.ParseJSON(text, false)
		if err != nil {
			return nil, err
		}
		all = append(all, transfer.WithoutSystemProperties(document))
	}
	return all, nil
}

// exportReport is what an export says at its end.
type exportReport struct {
	Table         string          `json:"table,omitempty"`
	Container     string          `json:"container,omitempty"`
	Index         string          `json:"index,omitempty"`
	File          string          `json:"file"`
	Format        datafile.Format `json:"format"`
	Items         int64           `json:"items"`
	Scanned       int64           `json:"scanned"`
	CapacityUnits float64         `json:"capacityUnits,omitempty"`
	RequestUnits  float64         `json:"requestUnits,omitempty"`
	Seconds       float64         `json:"seconds"`
	Error         string          `json:"error,omitempty"`
}

// name returns the name of the table, the index or the container.
func (r *exportReport) name() string {
	if r.Index != "" {
		return r.Table + "/" + r.Index
	}
	return r.Table + r.Container
}

func (r *exportReport) cost() string {
	if r.Container != "" {
		return fmt.Sprintf("%.2f RU", r.RequestUnits)
	}
	return unitsOf(r.CapacityUnits, "read")
}

// add writes a page.
func (r *exportReport) add(w datafile.Writer, line *live.Line, p transfer.Page, started time.Time) error {
	for _, item := range p.Items {
		if err := w.Write(item); err != nil {
			return err
		}
	}
	r.Items, r.Scanned = r.Items+int64(len(p.Items)), r.Scanned+p.Scanned
	if r.Container != "" {
		r.RequestUnits += p.Units
	} else {
		r.CapacityUnits += p.Units
	}
	if elapsed := time.Since(started); elapsed > quietTime {
		line.Set(fmt.Sprintf("%s  %s/s", count(r.Items, "item"), rate(r.Items, elapsed)), time.Now())
	}
	return nil
}

// finish prints the report: on the error stream if the items are on standard output.
func (f *exportFlags) finish(cmd *cobra.Command, r *exportReport, elapsed time.Duration, err error) error {
	r.Seconds = elapsed.Seconds()
	if err != nil {
		problem := "nothing was written"
		if f.out == "-" {
			problem = "the output is not complete"
		}
		err = fmt.Errorf("%s: %w: %s", r.name(), err, problem)
		r.Error = err.Error()
	}
	if f.json {
		return errors.Join(err, indented.WriteJSON(cmd.OutOrStdout(), r))
	}
	out, verdict := cmd.OutOrStdout(), "PASS"
	if f.out == "-" {
		out = cmd.ErrOrStderr()
	}
	if err != nil {
		verdict = "FAIL"
	}
	_, _ = fmt.Fprintf(out, "%s  %s of %s in %s, %s\n", verdict, count(r.Items, "item"), r.name(),
		elapsed.Round(time.Millisecond), r.cost())
	return err
}
