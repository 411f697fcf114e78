package cli

import (
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
	return []datafile.Format{datafile.JSON, datafile.DynamoJSON, datafile.CSV, datafile.AWSExport}
}

func newExport() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the items of a table to a file",
		Long: `Write the items of a DynamoDB table or index to a file, or to standard output. The file is complete or does not exist:
it is written under another name first. tabletop import reads each format without a loss:

  json           plain JSON, one item per line; sets and binary values are
                 objects such as {"$stringSet": ["a"]}
  dynamodb-json  {"Item": {"id": {"S": "7"}}}, one item per line
  csv            one column per attribute and type; sets, lists and maps are
                 JSON
  aws-export     a folder like that of a full export to S3

A filter is a condition on attributes, with texts in quotes; names that have other characters than letters, digits, _ and
- are in backquotes. Items are read with scans; they cost read capacity, also those that the filter leaves out.`,
		Example: `  tabletop export --table orders --out orders.jsonl
  tabletop export --table orders --out orders.csv.gz
  tabletop export --table orders --format dynamodb-json | gzip > orders.gz
  tabletop export --table orders --format aws-export --out orders-export
  tabletop export --table orders --filter 'status = "open" and total > 100' --projection id,total`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	command.GroupFlags(flags, "Database", f.data.bind)
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
	case f.data.table == "":
		return "", command.Usagef("nothing to export: set --table")
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
	ctx, started := cmd.Context(), time.Now()
	db, err := f.data.open(cmd)
	if err != nil {
		return err
	}
	table, err := transfer.Describe(ctx, db, f.data.table)
	if errors.Is(err, transfer.ErrNoTable) {
		return command.Usagef("table %q does not exist: list tables with tabletop tables describe --as-file", f.data.table)
	}
	if err != nil {
		return err
	}
	key := transfer.Key(table)
	file, err := createFile(f.out, command.DataOutput(cmd), fileOptions{format: format, key: key,
		export: datafile.ExportInfo{TableARN: aws.ToString(table.TableArn), TableID: aws.ToString(table.TableId),
			Start: started}})
	if err != nil {
		return err
	}
	defer file.Abort()
	report := exportReport{Table: f.data.table, Index: f.index, File: f.out, Format: format}
	line := live.New(cmd.ErrOrStderr())
	o := transfer.ScanOptions{Table: f.data.table, Index: f.index, Key: key, Segments: f.segments, Filter: f.filter,
		Projection: f.projection, Consistent: f.consistent}
	err = transfer.Scan(ctx, db, o, func(p transfer.Page) error { return report.add(file, line, p, started) })
	if err == nil {
		err = file.Close()
	}
	line.Done()
	if ctx.Err() != nil {
		err = errors.New("stopped")
	}
	return f.finish(cmd, &report, time.Since(started), err)
}

// exportReport is what an export says at its end.
type exportReport struct {
	Table         string          `json:"table"`
	Index         string          `json:"index,omitempty"`
	File          string          `json:"file"`
	Format        datafile.Format `json:"format"`
	Items         int64           `json:"items"`
	Scanned       int64           `json:"scanned"`
	CapacityUnits float64         `json:"capacityUnits"`
	Seconds       float64         `json:"seconds"`
	Error         string          `json:"error,omitempty"`
}

// add writes a page.
func (r *exportReport) add(w datafile.Writer, line *live.Line, p transfer.Page, started time.Time) error {
	for _, item := range p.Items {
		if err := w.Write(item); err != nil {
			return err
		}
	}
	r.Items, r.Scanned, r.CapacityUnits = r.Items+int64(len(p.Items)), r.Scanned+p.Scanned, r.CapacityUnits+p.Units
	if elapsed := time.Since(started); elapsed > quietTime {
		line.Set(fmt.Sprintf("%s  %s/s", count(r.Items, "item"), rate(r.Items, elapsed)), time.Now())
	}
	return nil
}

// finish prints the report: on the error stream if the items are on standard output.
func (f *exportFlags) finish(cmd *cobra.Command, r *exportReport, elapsed time.Duration, err error) error {
	r.Seconds = elapsed.Seconds()
	if err != nil {
		err = fmt.Errorf("%s: %w: nothing was written", f.data.table, err)
		if f.out == "-" {
			err = fmt.Errorf("%s: the output is not complete: %w", f.data.table, errors.Unwrap(err))
		}
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
	_, _ = fmt.Fprintf(out, "%s  %s of %s in %s, %s\n", verdict, count(r.Items, "item"), strings.TrimSuffix(
		f.data.table+"/"+f.index, "/"), elapsed.Round(time.Millisecond), units(r.CapacityUnits, "read"))
	return err
}
