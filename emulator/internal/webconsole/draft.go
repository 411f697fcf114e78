package webconsole

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// maxDraftItems is how many sample items a draft has at most.
const maxDraftItems = 1000

var errDraftItems = errors.New("items must be a number from 0 to " + strconv.Itoa(maxDraftItems))

// serveDraft responds with a model of NoSQL Workbench of the table in the parameter table, with its first items as
// sample data: as many as the parameter items says.
func (c *console) serveDraft(w http.ResponseWriter, r *http.Request) {
	if !c.admitPost(w, r) {
		return
	}
	var body bytes.Buffer
	if err := c.draft(r, &body); err != nil {
		writeRefusal(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = body.WriteTo(w) // fails only if the client has left
}

func (c *console) draft(r *http.Request, body *bytes.Buffer) error {
	items, err := strconv.Atoi(r.URL.Query().Get("items"))
	if err != nil || items < 0 || items > maxDraftItems {
		return errDraftItems
	}
	e := &itemExport{caller: caller{c, r}}
	schema, err := e.describe(r.Context(), r.URL.Query().Get("table"))
	if err != nil {
		return err
	}
	out, err := datafile.NewWorkbenchWriter(body, schema, time.Now())
	if err != nil {
		return err
	}
	e.key = schema.Key()
	if err := e.writeFirst(r.Context(), out, schema.TableName, items); err != nil {
		return err
	}
	return out.Close()
}

// writeFirst writes the first items of a table.
func (e *itemExport) writeFirst(ctx context.Context, out datafile.Writer, table string, count int) error {
	name, _ := json.Marshal(table) // a string always can be written
	e.Operation, e.Input = "Scan", map[string]json.RawMessage{"TableName": name}
	for more := true; more && count > 0; {
		e.Input["Limit"] = json.RawMessage(strconv.Itoa(count))
		var items []datafile.Item
		var err error
		if items, more, err = e.tablePage(ctx); err != nil {
			return err
		}
		for _, item := range items {
			if err := out.Write(item); err != nil {
				return err
			}
		}
		count -= len(items)
	}
	return nil
}
