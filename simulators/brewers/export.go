package brewers

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// export exports everything as CSV and compares it, line by line, with what the brewer knows.
func (b *brewer) export(ctx context.Context) error {
	var file []byte
	if _, err := b.caller.Call(ctx, sim.Call{Method: http.MethodGet, Path: "/kefir/export.csv", Out: &file}); err != nil {
		return err
	}
	rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil || len(rows) == 0 {
		return fmt.Errorf("cannot parse the export as CSV: %w", err)
	}
	var got []object
	for _, row := range rows[1:] {
		line := object{}
		for i, cell := range row {
			if cell != "" {
				line[rows[0][i]] = cell
			}
		}
		got = append(got, line)
	}
	sim.Compare(b.sim.ledger, "export line", lines, b.exportLines(), got, lineID)
	return nil
}

// exportLines returns the expected lines of an export, by lineID.
func (b *brewer) exportLines() map[string]object {
	all := map[string]object{}
	add := func(record string, of object) {
		line := object{"record": record}
		flatten(line, "", of)
		all[lineID(line)] = line
	}
	add("profile", b.profile)
	for _, batch := range b.batches {
		add("batch", batch.want)
		for _, e := range batch.events {
			add("event", e)
		}
	}
	for _, r := range b.reminders {
		add("reminder", r.expected(b.sim))
	}
	for _, p := range b.phones {
		add("device", object{"deviceId": p.id, "platform": p.platform, "pushToken": p.token, "userId": b.plan.UserID})
	}
	return all
}

// flatten writes an object's fields as cells: nested fields as outer.inner, text that a spreadsheet would run as a
// formula with a leading apostrophe, and nothing for unset fields.
func flatten(line object, outer string, of object) {
	for name, value := range of {
		switch v := value.(type) {
		case object:
			flatten(line, name+".", v)
		case string:
			if v != "" && strings.ContainsRune("=+-@\t\r\n", rune(v[0])) {
				v = "'" + v
			}
			line[outer+name] = v
		default:
			if text := fmt.Sprint(v); text != "false" || outer != "" {
				line[outer+name] = text
			}
		}
	}
}

// lineID identifies a line of an export. Events are identified by their content.
func lineID(line object) string {
	var id strings.Builder
	for _, name := range []string{"record", "batchId", "reminderId", "deviceId", "type", "note", "photoKey",
		"toStage", "toStatus"} {
		if text, ok := line[name]; ok {
			fmt.Fprintf(&id, "%v ", text)
		}
	}
	return strings.TrimSpace(id.String())
}
