package webconsole

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// maxExportRequest is how many bytes the request for an export has at most: a statement of PartiQL has 8 KB, but a
// query can have many values.
const maxExportRequest = 1 << 20

// exportRequest says what to export: the items that a Scan, Query or ExecuteStatement reads, or the results of a query
// of a container.
type exportRequest struct {
	Format    datafile.Format
	Operation string
	Input     map[string]json.RawMessage // without a page: ExclusiveStartKey, NextToken and Limit are ignored

	Database, Container, Query string
	PartitionKey               string // as x-ms-documentdb-partitionkey has it; empty: all partitions
}

// itemExport is a request to export items.
type itemExport struct {
	caller
	exportRequest
	key []string // of the table
}

// serveExport reads all items of a request for items, page after page, and responds with a file of them. An error
// before the file begins is a problem; a later one ends the connection, so that the file is not taken for a whole one.
func (c *console) serveExport(w http.ResponseWriter, r *http.Request) {
	if !c.admitPost(w, r) {
		return
	}
	e := &itemExport{caller: caller{c, r}}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxExportRequest)).Decode(&e.exportRequest); err != nil {
		control.WriteProblem(w, http.StatusBadRequest, "the request is not JSON of an export: "+err.Error())
		return
	}
	pages, err := e.pages()
	if err != nil {
		writeRefusal(w, err)
		return
	}
	e.write(w, pages)
}

// A pager returns the next items, and whether there are more.
type pager func(ctx context.Context) (items []datafile.Item, more bool, err error)

var (
	errExportFormat = errors.New("format must be one of json, dynamodb-json and csv")
	errExported     = errors.New("an export has an operation, Scan, Query or ExecuteStatement, or a container")
)

// pages checks the request, and returns its pages.
func (e *itemExport) pages() (pager, error) {
	if !slices.Contains([]datafile.Format{datafile.JSON, datafile.DynamoJSON, datafile.CSV}, e.Format) {
		return nil, errExportFormat
	}
	switch {
	case e.Container != "":
		return e.containerPages()
	case slices.Contains([]string{"Scan", "Query", "ExecuteStatement"}, e.Operation):
		return e.tablePages()
	}
	return nil, errExported
}

// write responds with the items of the pages.
func (e *itemExport) write(w http.ResponseWriter, pages pager) {
	items, more, err := pages(e.request.Context())
	if err != nil {
		writeRefusal(w, err)
		return
	}
	out := &begunWriter{ResponseWriter: w, contentType: exportType(e.Format)}
	switch err := e.writeAll(out, items, more, pages); {
	case err != nil && out.begun:
		panic(http.ErrAbortHandler)
	case err != nil:
		writeRefusal(w, err)
	case !out.begun: // there are no items
		out.begin()
	}
}

// begunWriter is a response that gets its headers when its body begins. The client has partTimeout for each part of
// the body: the whole may take as long as it needs.
type begunWriter struct {
	http.ResponseWriter
	contentType string
	begun       bool
}

// Write implements http.ResponseWriter.
func (w *begunWriter) Write(data []byte) (int, error) {
	w.begin()
	extendWrite(w.ResponseWriter)
	return w.ResponseWriter.Write(data)
}

func (w *begunWriter) begin() {
	if !w.begun {
		w.begun = true
		w.Header().Set("Content-Type", w.contentType)
		w.Header().Set("Cache-Control", "no-store")
	}
}

// writeAll writes items and those of the pages that follow.
func (e *itemExport) writeAll(w io.Writer, items []datafile.Item, more bool, pages pager) error {
	out, err := datafile.NewWriter(w, e.Format, e.key, e.Container != "")
	if err != nil {
		return err
	}
	for {
		for _, item := range items {
			if err := out.Write(item); err != nil {
				out.Abort()
				return err
			}
		}
		if !more {
			return out.Close()
		}
		if items, more, err = pages(e.request.Context()); err != nil {
			out.Abort()
			return err
		}
	}
}

func exportType(f datafile.Format) string {
	if f == datafile.CSV {
		return "text/csv; charset=utf-8"
	}
	return "application/jsonl"
}

// tablePages returns the items of the operation, from the first one.
func (e *itemExport) tablePages() (pager, error) {
	for _, name := range []string{"ExclusiveStartKey", "NextToken", "Limit", "ReturnConsumedCapacity"} {
		delete(e.Input, name)
	}
	if e.Input == nil {
		e.Input = map[string]json.RawMessage{}
	}
	var table string
	_ = json.Unmarshal(e.Input["TableName"], &table) // the service refuses what is not a name
	if table != "" {
		schema, err := e.describe(e.request.Context(), table)
		if err != nil && !isCode(err, "AccessDeniedException") { // the order of columns needs no permission
			return nil, err
		}
		e.key = schema.Key()
	}
	return e.tablePage, nil
}

// tablePage reads the next page of the operation.
func (e *itemExport) tablePage(ctx context.Context) (items []datafile.Item, more bool, err error) {
	in, err := json.Marshal(e.Input)
	if err != nil {
		return nil, false, err
	}
	var page struct {
		Items                       []json.RawMessage
		LastEvaluatedKey, NextToken json.RawMessage
	}
	if err := retry(ctx, func() error { return e.dynamoDB(ctx, e.Operation, in, &page) }); err != nil {
		return nil, false, err
	}
	for _, text := range page.Items {
		item, err := datafile.ParseDynamoJSON(text)
		if err != nil {
			return nil, false, err
		}
		item.Sort(e.key...)
		items = append(items, item)
	}
	for name, value := range map[string]json.RawMessage{"ExclusiveStartKey": page.LastEvaluatedKey,
		"NextToken": page.NextToken} {
		if value != nil {
			e.Input[name], more = value, true
		}
	}
	return items, more, nil
}

// containerPages returns the results of the query.
func (e *itemExport) containerPages() (pager, error) {
	if e.Cosmos == nil {
		return nil, errCosmosOff
	}
	body, err := json.Marshal(map[string]string{"query": e.Query})
	if err != nil {
		return nil, err
	}
	header := map[string]string{"Content-Type": "application/query+json", "x-ms-documentdb-isquery": "True",
		"x-ms-max-item-count": "-1"}
	if e.PartitionKey != "" {
		header["x-ms-documentdb-partitionkey"] = e.PartitionKey
	} else { // the range of all partitions, over which the emulator runs any query
		header["x-ms-documentdb-query-enablecrosspartition"] = "True"
		header["x-ms-read-key-type"] = "EffectivePartitionKeyRange"
	}
	path := containerPath(e.Database, e.Container) + "/docs"
	return func(ctx context.Context) (items []datafile.Item, more bool, err error) {
		var response *capturedResponse
		if err := retry(ctx, func() error {
			if response = e.cosmos(ctx, http.MethodPost, path, header, body); response.status != http.StatusOK {
				return newCosmosRefusal(response)
			}
			return nil
		}); err != nil {
			return nil, false, err
		}
		header["x-ms-continuation"] = response.field("x-ms-continuation")
		items, err = resultsOf(response.body.Bytes())
		return items, header["x-ms-continuation"] != "", err
	}, nil
}

// resultsOf returns the results of a page of a query.
func resultsOf(body []byte) (items []datafile.Item, err error) {
	var page struct{ Documents []json.RawMessage }
	if err := json.Unmarshal(body, &page); err != nil {
		return nil, err
	}
	for _, text := range page.Documents {
		item, err := datafile.ParseResult(text)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// throttledFor is how long a throttled page is tried again.
const throttledFor = time.Minute

// firstWait is how long the first repetition waits. Each one waits twice as long as the one before, at most maxWait.
const (
	firstWait = 50 * time.Millisecond
	maxWait   = 2 * time.Second
)

// retry runs a request again while it is throttled, for at most throttledFor.
func retry(ctx context.Context, request func() error) error {
	for wait, waited := firstWait, time.Duration(0); ; wait = min(2*wait, maxWait) {
		err := request()
		if waited >= throttledFor || !isThrottled(err) {
			return err
		}
		if err := pause.For(ctx, wait); err != nil {
			return err
		}
		waited += wait
	}
}
