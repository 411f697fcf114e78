package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/model/bulkload"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// importFlags holds the flags for what to import, and how.
type importFlags struct {
	data        dataFlags
	format      string
	types       []string
	delimiter   string
	create      bool
	key         []string
	skipInvalid string
	workers     int
	json        bool
}

func newImport() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Load a file of items into a table or container",
		Long: `Load the items of a file into a table of DynamoDB or a container of Cosmos DB. Items with the same key replace each
other: the last one stays. FILE is - for standard input; a file compressed with gzip is decompressed.
docs/import-export.md describes the formats:

  json            plain JSON, one item per line or an array
  dynamodb-json   {"Item": {"id": {"S": "7"}}} or bare items; the output of
                  aws dynamodb scan; the items of batch-write-item
  csv             with a header; a column is NAME, or NAME:TYPE such as age:N
  aws-export      the folder of an export to S3, full or incremental
  workbench       a model of NoSQL Workbench: creates its tables and indexes,
                  and loads their sample data
  describe-table  the description of a table: creates the table

An invalid line stops the import unless --skip-invalid is given. The exit status is 1 if the import did not finish; what
it has written until then stays.`,
		Example: `  tabletop import orders.jsonl --table orders
  tabletop import orders.csv.gz --table orders --create --key customer,date:N
  tabletop import AWSDynamoDB/01700000000000-a1b2c3d4 --table orders
  tabletop import model.json
  tabletop import orders.jsonl --container shop/orders --create --key /customer
  aws dynamodb scan --table-name orders | tabletop import - --table orders
  tabletop import orders.jsonl --table orders --skip-invalid invalid.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Usagef("%s takes one file, or - for standard input: see %s --help", cmd.CommandPath(),
					cmd.CommandPath())
			}
			return f.run(cmd, args[0])
		},
	}
	flags := cmd.Flags()
	command.GroupFlags(flags, "Database", f.data.bind)
	command.GroupFlags(flags, "Cosmos DB", f.data.bindCosmos)
	command.GroupFlags(flags, "New table", func(flags *pflag.FlagSet) {
		flags.BoolVar(&f.create, "create", false, "Create the table, on demand, or the container if it does not exist.")
		flags.StringSliceVar(&f.key, "key", nil, "Key of the new table: NAME:TYPE, or two with a comma. Default type: S. "+
			"Of a container: paths such as /customer.")
	})
	command.GroupFlags(flags, "File", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.format, "format", "", "Format: one of the list above. Default: by the content.")
		flags.StringSliceVar(&f.types, "types", nil, "CSV: types of columns, such as age:N,photo:B.")
		flags.StringVar(&f.delimiter, "delimiter", ",", "CSV: one character between fields; tab for a tab.")
	})
	flags.StringVar(&f.skipInvalid, "skip-invalid", "", "Skip invalid lines, and write them to this file.")
	flags.IntVar(&f.workers, "workers", 4, "Number of concurrent requests, 1 to 64.")
	command.BindOutput(flags, &f.json)
	f.data.offer(cmd)
	f.data.offerContainers(cmd)
	command.Offer(cmd, "format", command.Fixed(formatNames(datafile.Formats())...))
	return cmd
}

func formatNames(formats []datafile.Format) (names []string) {
	for _, format := range formats {
		names = append(names, string(format))
	}
	return names
}

// parseFormat returns the format of a name: one of these, or "" for none.
func parseFormat(name string, formats []datafile.Format) (datafile.Format, error) {
	if name == "" {
		return "", nil
	}
	for _, format := range formats {
		if name == string(format) || name == "jsonl" && format == datafile.JSON {
			return format, nil
		}
	}
	return "", command.Usagef("--format %q is unknown: use %s", name, strings.Join(formatNames(formats), ", "))
}

// options returns how to read the file.
func (f *importFlags) options() (o datafile.Options, err error) {
	if o.Format, err = parseFormat(f.format, datafile.Formats()); err != nil {
		return o, err
	}
	if o.Types, err = parseTypes("types", f.types); err != nil {
		return o, err
	}
	if f.delimiter == "tab" {
		f.delimiter = "\t"
	}
	if len(f.delimiter) != 1 || strings.Contains("\"\r\n", f.delimiter) || f.delimiter[0] > '~' {
		return o, command.Usagef("--delimiter %q is invalid: use one character such as ; or tab", f.delimiter)
	}
	o.Delimiter = f.delimiter[0]
	if f.workers < 1 || f.workers > 64 {
		return o, command.Usagef("--workers %d is out of range: use 1 to 64", f.workers)
	}
	return o, nil
}

// parseTypes reads NAME:TYPE; the type is S by default.
func parseTypes(flag string, texts []string) (map[string]datafile.Type, error) {
	types := map[string]datafile.Type{}
	for _, text := range texts {
		name, of := datafile.SplitType(text)
		if name == "" || !of.IsValid() {
			return nil, command.Usagef("--%s %q is invalid: use NAME:TYPE, with a type such as S, N or B", flag, text)
		}
		types[name] = of
	}
	return types, nil
}

func (f *importFlags) run(cmd *cobra.Command, name string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	if name != "-" {
		if _, err := os.Stat(name); err != nil {
			return command.Usagef("%s: use a file that exists, or - for standard input", pathError(err))
		}
	}
	started := time.Now()
	i := &importRun{flags: f, name: name, options: o}
	if err := i.open(cmd); err != nil {
		return err
	}
	defer i.source.Close()
	return i.load(cmd, started)
}

// pathError returns a file's error without the system call's name.
func pathError(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return fmt.Errorf("%s: %w", of.Path, of.Err)
	}
	return err
}

// importReport is what an import says at its end.
type importReport struct {
	File          string          `json:"file"`
	Format        datafile.Format `json:"format"`
	Tables        []string        `json:"tables"`
	Created       []string        `json:"created"`
	Written       int64           `json:"written"`
	Deleted       int64           `json:"deleted"`
	Invalid       int64           `json:"invalid"`
	Throttled     int64           `json:"throttled"`
	CapacityUnits float64         `json:"capacityUnits,omitempty"`
	RequestUnits  float64         `json:"requestUnits,omitempty"`
	Seconds       float64         `json:"seconds"`
	Error         string          `json:"error,omitempty"`
}

func newImportReport(i *importRun, c bulkload.Counts, elapsed time.Duration, err error) importReport {
	r := importReport{File: i.name, Format: i.source.Format, Tables: i.tables, Created: i.created, Written: c.Written,
		Deleted: c.Deleted, Invalid: c.Invalid, Throttled: c.Throttled, Seconds: elapsed.Seconds()}
	if i.flags.data.container == "" {
		r.CapacityUnits = c.Cost
	} else {
		r.RequestUnits = c.Cost
	}
	if err != nil {
		r.Error = err.Error()
	}
	return r
}

// openSource opens a file; - is stdin. Reading stdin ends with ctx.
func openSource(ctx context.Context, name string, stdin io.Reader, o datafile.Options) (*datafile.Source, error) {
	if name != "-" {
		return datafile.Open(name, o)
	}
	in, out := io.Pipe()
	go func() {
		_, err := io.Copy(out, stdin)
		_ = out.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { _ = out.CloseWithError(ctx.Err()) })
	return datafile.New(in, o)
}

// sourceName returns the name of the file for a sentence.
func (i *importRun) sourceName() string {
	if i.name == "-" {
		return "standard input"
	}
	return i.name
}

// unreadable returns the error of a file that cannot be opened, or whose format cannot be recognized.
func (i *importRun) unreadable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return i.stopped(ctx, bulkload.Counts{}, err)
	}
	return fmt.Errorf("%s: %w", i.name, pathError(err))
}

// stopped returns the error of an import that ended early, with what is in.
func (i *importRun) stopped(ctx context.Context, c bulkload.Counts, err error) error {
	var invalid *datafile.Invalid
	in := "written: " + count(c.Written+c.Deleted, "item")
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return command.Stoppedf(ctx, " while reading %s: %s", i.sourceName(), in)
	case errors.As(err, &invalid):
		return fmt.Errorf("%s: %w: %s; correct it, or collect invalid lines with --skip-invalid FILE", i.name, err, in)
	}
	return fmt.Errorf("%s: %w: %s", i.name, err, in)
}
