package webconsole

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/bulkload"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// loadReport is what an import did. Error says why it ended before the end of the file.
type loadReport struct {
	Tables        []string        `json:"tables"` // or the container, as DATABASE/CONTAINER
	Created       []string        `json:"created"`
	Written       int64           `json:"written"`
	Deleted       int64           `json:"deleted"`
	Invalid       int64           `json:"invalid"`
	InvalidLines  []invalidRecord `json:"invalidLines"` // the first ones
	CapacityUnits float64         `json:"capacityUnits"`
	RequestUnits  float64         `json:"requestUnits"` // of a container
	Seconds       float64         `json:"seconds"`
	Error         string          `json:"error,omitempty"`
}

// maxInvalidLines is how many invalid lines a report has at most.
const maxInvalidLines = 100

// load writes the items of the file to the table, or to the tables that the file or the parameter create describe,
// which are created if they do not exist. Invalid lines are skipped if the parameter invalid is skip; otherwise the
// first one ends the import.
func (f *fileImport) load(w http.ResponseWriter) {
	started := time.Now()
	table, err := f.open()
	if err != nil {
		writeRefusal(w, err)
		return
	}
	report := loadReport{Tables: []string{}, Created: []string{}, InvalidLines: []invalidRecord{}}
	target, err := f.target(table, &report)
	if err != nil {
		writeRefusal(w, err)
		return
	}
	skip := f.request.URL.Query().Get("invalid") == "skip"
	counts, err := bulkload.Load(f.request.Context(), f.source.Next, target, bulkload.Options{
		Invalid: func(r *datafile.Invalid) error {
			if len(report.InvalidLines) < maxInvalidLines {
				report.InvalidLines = append(report.InvalidLines, newInvalidRecord(r))
			}
			if skip {
				return nil
			}
			return r
		},
	})
	if err != nil {
		report.Error = err.Error()
	}
	report.Written, report.Deleted, report.Invalid = counts.Written, counts.Deleted, counts.Invalid
	report.Seconds = time.Since(started).Seconds()
	if f.container != nil {
		report.RequestUnits = counts.Cost
	} else {
		report.CapacityUnits = counts.Cost
	}
	writeJSON(w, report)
}

var errNoTable = errors.New("the file does not say which table its items belong to: open the table, and import it there")

var errOwnTables = errors.New("the file describes its own tables: import it without the parameter create")

var errTables = errors.New("the file describes tables of DynamoDB: import it on the page of all tables")

// target returns the container, or the tables that the items go to.
func (f *fileImport) target(table *datafile.Schema, report *loadReport) (bulkload.Target, error) {
	switch {
	case f.container == nil:
		return f.tables(table, report)
	case len(f.source.Schemas) > 0:
		return nil, errTables
	}
	report.Tables = append(report.Tables, f.container.database+"/"+f.container.name)
	return f.container, nil
}

// tables returns the tables that the items go to, and creates those that do not exist. It creates none if one of them
// exists with another key.
func (f *fileImport) tables(table *datafile.Schema, report *loadReport) (*tableTarget, error) {
	schemas := f.source.Schemas
	switch {
	case len(schemas) == 0 && table == nil:
		return nil, errNoTable
	case len(schemas) == 0:
		schemas = []*datafile.Schema{table}
	case f.creates:
		return nil, errOwnTables
	default:
		f.creates = true
	}
	if f.creates {
		if err := f.createAll(schemas, report); err != nil {
			return nil, err
		}
	}
	target := &tableTarget{fileImport: f, keys: map[string]datafile.TableKey{}, only: schemas[0].TableName}
	for _, s := range schemas {
		report.Tables = append(report.Tables, s.TableName)
		target.keys[s.TableName] = s.TableKey()
	}
	return target, nil
}

// createAll creates the tables that do not exist. Errors say which ones it has created before.
func (f *fileImport) createAll(schemas []*datafile.Schema, report *loadReport) error {
	for _, s := range schemas {
		if _, err := f.exists(f.request.Context(), s); err != nil {
			return err
		}
	}
	for _, s := range schemas {
		created, err := f.create(f.request.Context(), s)
		switch {
		case err != nil && len(report.Created) > 0:
			return fmt.Errorf("%w; nothing was imported, but these tables were created: %s", err,
				strings.Join(report.Created, ", "))
		case err != nil:
			return err
		case created:
			report.Created = append(report.Created, s.TableName)
		}
	}
	return nil
}
