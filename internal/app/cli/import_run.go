package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/transfer"
	"github.com/tabletop-db/tabletop/internal/model/bulkload"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
	"github.com/tabletop-db/tabletop/internal/util/indented"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/live"
)

// importRun is an import that has been opened.
type importRun struct {
	flags   *importFlags
	name    string
	options datafile.Options
	source  *datafile.Source
	target  bulkload.Target
	tables  []string
	created []string
	rename  map[string]string // names of the file's tables: those of the target; nil: the file has no tables
}

// open opens the database, finds or creates the tables or the container, and opens the file.
func (i *importRun) open(cmd *cobra.Command) error {
	f := i.flags
	if isInput(f.skipInvalid, i.name, cmd.InOrStdin()) {
		return command.Usagef("--skip-invalid %s is the file to import: use another file", f.skipInvalid)
	}
	switch {
	case f.data.container != "" && f.data.table != "":
		return command.Usagef("--table and --container are of two databases: use one of them")
	case f.create != (len(f.key) > 0):
		return command.Usagef("--create and --key belong together: use --create --key %s", i.proposedKey())
	case f.data.container != "":
		return i.openContainer(cmd)
	}
	db, err := i.flags.data.open(cmd)
	if err != nil {
		return err
	}
	known, err := i.existing(cmd, db)
	if err != nil {
		return err
	}
	if known != nil {
		i.options.KeyTypes = known.KeyTypes()
	}
	if i.source, err = openSource(cmd.Context(), i.name, cmd.InOrStdin(), i.options); err != nil {
		return i.unreadable(cmd.Context(), err)
	}
	schemas, err := i.schemas(known)
	if err == nil {
		err = i.prepare(cmd, db, schemas)
	}
	if err != nil {
		return errors.Join(err, i.source.Close())
	}
	return nil
}

// proposedItems is how many items of a file its key is proposed from.
const proposedItems = 20

// proposedKey returns a value for --key: what the first items of the file suggest for a table, or the form of the value
// if nothing can be suggested. Standard input is not read.
func (i *importRun) proposedKey() string {
	const form = "NAME:TYPE"
	if i.name == "-" || i.flags.data.container != "" {
		return form
	}
	source, err := datafile.Open(i.name, i.options)
	if err != nil {
		return form
	}
	defer source.Close()
	var items []datafile.Item
	for len(items) < proposedItems {
		record, err := source.Next()
		if err != nil {
			break
		}
		items = append(items, record.Item)
	}
	var key []string
	for _, a := range datafile.ProposeKey(source.Format, items) {
		key = append(key, a.AttributeName+":"+string(a.AttributeType))
	}
	return cmp.Or(strings.Join(key, ","), form)
}

// existing returns the table that --table names, or the one that --create and --key describe, or nil.
func (i *importRun) existing(cmd *cobra.Command, db *dynamodb.Client) (*datafile.Schema, error) {
	f := i.flags
	if f.data.table == "" {
		if f.create {
			return nil, command.Usagef("--create requires --table")
		}
		return nil, nil
	}
	d, err := transfer.Describe(cmd.Context(), db, f.data.table)
	switch {
	case err == nil:
		return transfer.SchemaOf(d), nil
	case !errors.Is(err, transfer.ErrNoTable):
		return nil, err
	case f.create:
		return f.newTable()
	}
	return nil, nil
}

// newTable returns the table that --create and --key describe.
func (f *importFlags) newTable() (*datafile.Schema, error) {
	s, err := datafile.NewTable(f.data.table, f.key)
	if err != nil {
		return nil, command.Usagef("--%v", err)
	}
	return s, nil
}

// schemas returns the tables that the items go to: those of the file, or known.
func (i *importRun) schemas(known *datafile.Schema) ([]*datafile.Schema, error) {
	table := i.flags.data.table
	all := i.source.Schemas
	switch {
	case len(all) > 0:
		return i.choose(all)
	case table == "":
		return nil, command.Usagef("%s does not say which table its items belong to: set --table", i.name)
	case known == nil:
		return nil, command.Usagef("table %q does not exist: create it with --create --key NAME:TYPE, or correct --table", table)
	}
	return []*datafile.Schema{known}, nil
}

// choose returns all tables of the file, or the one that --table names. The only table of a file is renamed to --table.
func (i *importRun) choose(all []*datafile.Schema) ([]*datafile.Schema, error) {
	table := i.flags.data.table
	i.rename = map[string]string{}
	var names []string
	for _, s := range all {
		names = append(names, s.TableName)
	}
	if table != "" && len(all) > 1 {
		at := slices.Index(names, table)
		if at < 0 {
			return nil, command.Usagef("%s has no table %q: it has %s", i.name, table, strings.Join(names, ", "))
		}
		all = all[at : at+1]
	}
	for _, s := range all {
		i.rename[s.TableName] = s.TableName
		if table != "" {
			i.rename[s.TableName], s.TableName = table, table
		}
	}
	return all, nil
}

// prepare creates the tables that do not exist.
func (i *importRun) prepare(cmd *cobra.Command, db *dynamodb.Client, schemas []*datafile.Schema) error {
	var tables []*types.TableDescription
	i.created = []string{}
	for _, s := range schemas {
		created, err := transfer.Create(cmd.Context(), db, s)
		if err != nil {
			return err
		}
		if created {
			i.created = append(i.created, s.TableName)
		}
		d, err := transfer.Describe(cmd.Context(), db, s.TableName)
		if err != nil {
			return err
		}
		tables, i.tables = append(tables, d), append(i.tables, s.TableName)
	}
	i.target = transfer.NewTableTarget(db, tables...)
	return nil
}

// next returns the next record of a table that is imported.
func (i *importRun) next() (datafile.Record, error) {
	for {
		record, err := i.source.Next()
		if err != nil || i.rename == nil {
			return record, err
		}
		if table, ok := i.rename[record.Table]; ok {
			record.Table = table
			return record, nil
		}
	}
}

// load loads the file and prints the report.
func (i *importRun) load(cmd *cobra.Command, started time.Time) error {
	line := live.New(cmd.ErrOrStderr())
	skipped := &skippedFile{name: i.flags.skipInvalid, source: i.source, line: line}
	o := bulkload.Options{Workers: i.flags.workers, Invalid: func(r *datafile.Invalid) error { return r },
		Progress: func(c bulkload.Counts) {
			if elapsed := time.Since(started); elapsed > quietTime {
				line.Set(i.progress(c, elapsed), time.Now())
			}
		}}
	if skipped.name != "" {
		o.Invalid = skipped.add
	}
	counts, err := bulkload.Load(cmd.Context(), i.next, i.target, o)
	line.Done()
	err = i.stopped(cmd.Context(), counts, errors.Join(err, skipped.close()))
	elapsed := time.Since(started)
	if i.flags.json {
		return errors.Join(err, indented.WriteJSON(cmd.OutOrStdout(), newImportReport(i, counts, elapsed, err)))
	}
	i.print(cmd, counts, elapsed, err)
	return err
}

// quietTime is how long a transfer runs before it shows its progress.
const quietTime = 500 * time.Millisecond

func (i *importRun) progress(c bulkload.Counts, elapsed time.Duration) string {
	text := fmt.Sprintf("%s  %s/s", count(c.Written+c.Deleted, "item"), rate(c.Written+c.Deleted, elapsed))
	if share, ok := i.source.Progress(); ok {
		text = fmt.Sprintf("%3.0f%%  %s", 100*share, text)
	}
	if c.Throttled > 0 {
		text += fmt.Sprintf("  %s throttled", thousands.Group(c.Throttled))
	}
	return text
}

func (i *importRun) print(cmd *cobra.Command, c bulkload.Counts, elapsed time.Duration, err error) {
	out := cmd.OutOrStdout()
	for _, table := range i.created {
		_, _ = fmt.Fprintf(out, "created %s\n", table)
	}
	verdict := "PASS"
	if err != nil {
		verdict = "FAIL"
	}
	_, _ = fmt.Fprintf(out, "%s  %s into %s in %s (%s/s), %s%s%s\n", verdict, count(c.Written, "item"),
		strings.Join(i.tables, ", "), elapsed.Round(time.Millisecond), rate(c.Written+c.Deleted, elapsed),
		i.cost(c.Cost), optional(c.Deleted, "deleted"), optional(c.Invalid, "invalid"))
}

func (i *importRun) cost(units float64) string {
	if i.flags.data.container != "" {
		return fmt.Sprintf("%.2f RU", units)
	}
	return unitsOf(units, "write")
}

// optional returns a count with a comma before it, or nothing for none.
func optional(n int64, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %s %s", thousands.Group(n), what)
}

// count returns a number with a noun: 1 item, 1,200 items.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands.Group(n) + " " + noun + "s"
}

// rate returns how many there were per second.
func rate(n int64, elapsed time.Duration) string {
	return thousands.Group(int64(float64(n) / max(elapsed.Seconds(), 1e-3)))
}

// unitsOf returns consumed capacity: 12.5 read units.
func unitsOf(n float64, kind string) string {
	if n == float64(int64(n)) {
		return count(int64(n), kind+" unit")
	}
	return fmt.Sprintf("%.1f %s units", n, kind)
}

// maxShownInvalid is how many invalid lines are printed; the file has all of them.
const maxShownInvalid = 10

// skippedFile collects invalid records as they are in the file, after the header of a CSV file.
type skippedFile struct {
	name   string
	source *datafile.Source
	line   *live.Line
	file   *os.File
	count  int
}

// add writes a record to the file, and prints the reason of the first ones.
func (s *skippedFile) add(r *datafile.Invalid) error {
	if s.file == nil {
		file, err := os.Create(s.name)
		if err != nil {
			return fmt.Errorf("--skip-invalid: %w: use a file in an existing, writable folder", pathError(err))
		}
		s.file = file
		if s.source.Header != nil {
			_, _ = fmt.Fprintf(file, "%s\n", s.source.Header)
		}
	}
	if s.count++; s.count <= maxShownInvalid {
		s.line.Print(fmt.Sprintf("skipped %s", command.OneLine(r)))
	} else if s.count == maxShownInvalid+1 {
		s.line.Print(fmt.Sprintf("more invalid lines are in %s", s.name))
	}
	_, err := fmt.Fprintf(s.file, "%s\n", r.Raw)
	return err
}

// isInput reports whether a file is the one to import, which may be standard input.
func isInput(file, input string, stdin io.Reader) bool {
	out, err := os.Stat(file)
	if err != nil {
		return false
	}
	in, err := os.Stat(input)
	if opened, ok := stdin.(*os.File); ok && input == "-" {
		in, err = opened.Stat()
	}
	return err == nil && os.SameFile(in, out)
}

func (s *skippedFile) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
