package webconsole

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// serveImport reads a file of items, which is the request's body: preview shows its beginning, load writes it to
// tables.
func (c *console) serveImport(w http.ResponseWriter, r *http.Request, path string) {
	serve := (*fileImport).load
	switch {
	case path == "preview":
		serve = (*fileImport).preview
	case path != "load":
		control.WriteProblem(w, http.StatusNotFound, "an import has preview and load, not "+path)
		return
	}
	if !c.admitPost(w, r) {
		return
	}
	serve(&fileImport{caller: caller{c, r}}, w)
}

// fileImport is a request to preview or load a file.
type fileImport struct {
	caller
	source    *datafile.Source
	container *containerTarget // nil: the items belong to tables
	creates   bool             // the table is to be created if it does not exist
}

// open reads the parameters and the beginning of the file: format and delimiter, which are found by the content if they
// are missing; database and container of Cosmos DB, or table, whose keys give types to columns of CSV, or create and
// key, which are the name and the key of a new table. It returns the table, or nil without one.
func (f *fileImport) open() (*datafile.Schema, error) {
	parameters := f.request.URL.Query()
	o := datafile.Options{Format: datafile.Format(parameters.Get("format"))}
	if o.Format != "" && !slices.Contains(datafile.Formats(), o.Format) {
		return nil, errors.New("format must be one of json, dynamodb-json, csv, workbench and describe-table")
	}
	if delimiter := cmp.Or(parameters.Get("delimiter"), ","); len(delimiter) == 1 {
		o.Delimiter = delimiter[0]
	}
	if parameters.Has("container") {
		var err error
		if f.container, err = f.openContainer(parameters.Get("database"), parameters.Get("container")); err != nil {
			return nil, err
		}
		o.Documents = true
	}
	table, err := f.table(parameters)
	if err != nil {
		return nil, err
	}
	if table != nil {
		o.KeyTypes = table.KeyTypes()
	}
	f.source, err = datafile.New(f.request.Body, o)
	return table, err
}

// table returns the table of the parameter table, or the new one of the parameters create and key, or nil.
func (f *fileImport) table(parameters url.Values) (*datafile.Schema, error) {
	if name := parameters.Get("create"); name != "" && f.container == nil {
		f.creates = true
		return datafile.NewTable(name, parameters["key"])
	}
	if name := parameters.Get("table"); name != "" {
		return f.describe(f.request.Context(), name)
	}
	return nil, nil
}

// The most items that a preview has, and the most bytes of a file that it takes. The page sends the first 8 MB.
const (
	maxPreview      = 20
	maxPreviewBytes = 16 << 20
)

// preview is the beginning of a file.
type preview struct {
	Format  datafile.Format   `json:"format"`
	Tables  []previewTable    `json:"tables"` // those that the file describes
	Items   []json.RawMessage `json:"items"`  // in DynamoDB JSON
	Types   []attributeTypes  `json:"types"`
	Key     datafile.TableKey `json:"key"` // proposed for a new table; empty if no attribute can be a key
	Invalid []invalidRecord   `json:"invalid"`
	Problem string            `json:"problem,omitempty"` // why the file cannot be read any further

	places map[string]int // of the attributes in Types
	items  []datafile.Item
}

// previewTable is a table that a file describes.
type previewTable struct {
	Name    string            `json:"name"`
	Key     datafile.TableKey `json:"key"`
	Indexes []string          `json:"indexes"`
	Exists  bool              `json:"exists"`
}

// attributeTypes is an attribute with the types of its values in the preview.
type attributeTypes struct {
	Name  string          `json:"name"`
	Types []datafile.Type `json:"types"`
}

// invalidRecord is a record that is not an item, or that DynamoDB refused.
type invalidRecord struct {
	Place  string `json:"place"`
	Reason string `json:"reason"`
	Text   string `json:"text"`
}

// maxInvalidText is how many bytes of an invalid record are shown.
const maxInvalidText = 200

func newInvalidRecord(r *datafile.Invalid) invalidRecord {
	return invalidRecord{r.Place(), r.Reason, string(r.Raw[:min(len(r.Raw), maxInvalidText)])}
}

// preview responds with the beginning of the file. With the parameter partial the body is only a part of the file,
// whose end is not a problem.
func (f *fileImport) preview(w http.ResponseWriter) {
	f.request.Body = http.MaxBytesReader(w, f.request.Body, maxPreviewBytes)
	if _, err := f.open(); err != nil {
		writeRefusal(w, err)
		return
	}
	p := preview{Format: f.source.Format, Tables: []previewTable{}, Items: []json.RawMessage{}, Types: []attributeTypes{},
		Invalid: []invalidRecord{}, places: map[string]int{}}
	for _, s := range f.source.Schemas {
		p.Tables = append(p.Tables, f.previewTable(s))
	}
	partial, _ := strconv.ParseBool(f.request.URL.Query().Get("partial"))
	if err := p.read(f.source); err != nil && !partial {
		p.Problem = err.Error()
	}
	p.Key = append(datafile.TableKey{}, datafile.ProposeKey(f.source.Format, p.items)...)
	writeJSON(w, p)
}

func (f *fileImport) previewTable(s *datafile.Schema) previewTable {
	t := previewTable{Name: s.TableName, Key: s.TableKey(), Indexes: []string{}}
	for _, x := range append(slices.Clone(s.GlobalSecondaryIndexes), s.LocalSecondaryIndexes...) {
		t.Indexes = append(t.Indexes, x.IndexName)
	}
	_, err := f.describe(f.request.Context(), s.TableName)
	t.Exists = err == nil
	return t
}

// read reads the first items.
func (p *preview) read(source *datafile.Source) error {
	for len(p.Items)+len(p.Invalid) < maxPreview {
		record, err := source.Next()
		var invalid *datafile.Invalid
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &invalid):
			p.Invalid = append(p.Invalid, newInvalidRecord(invalid))
		case err != nil:
			return err
		default:
			p.Items = append(p.Items, datafile.AppendDynamoJSON(nil, record.Item))
			p.items = append(p.items, record.Item)
			p.addTypes(record.Item)
		}
	}
	return nil
}

func (p *preview) addTypes(item datafile.Item) {
	for _, a := range item {
		i, ok := p.places[a.Name]
		if !ok {
			i, p.Types = len(p.Types), append(p.Types, attributeTypes{Name: a.Name})
			p.places[a.Name] = i
		}
		if !slices.Contains(p.Types[i].Types, a.Value.Type) {
			p.Types[i].Types = append(p.Types[i].Types, a.Value.Type)
		}
	}
}

// writeRefusal responds that an import or an export could not begin. Only refused access has a status of its own.
func writeRefusal(w http.ResponseWriter, err error) {
	var refused *serviceRefusal
	status := http.StatusBadRequest
	if errors.As(err, &refused) {
		switch s := problemStatus(refused.code, refused.status); s {
		case http.StatusUnauthorized, http.StatusForbidden:
			status = s
		}
	}
	control.WriteProblem(w, status, err.Error())
}
