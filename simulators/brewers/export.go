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
	var got []thing
	for _, row := range rows[1:] {
		line := thing{}
		for i, cell := range row {
			if cell != "" {
				line[rows[0][i]] = cell
			}
		}
		got = append(got, line)
	}
	sim.Compare(b.town.ledger, "export line", lines, b.lines(), got, lineID)
	return nil
}

// lines returns the expected lines of an export, by lineID.
func (b *brewer) lines() map[string]thing {
	all := map[string]thing{}
	add := func(record string, of thing) {
		line := thing{"record": record}
		flatten(line, "", of)
		all[lineID(line)] = line
	}
	add("profile", b.profile)
	for _, at := range b.batches {
		add("batch", at.want)
		for _, e := range at.events {
			add("event", e)
		}
	}
	for _, r := range b.reminders {
		add("reminder", r.expected(b.town))
	}
	for _, p := range b.phones {
		add("device", thing{"deviceId": p.id, "platform": p.platform, "pushToken": p.token, "userId": b.plan.UserID})
	}
	return all
}

// flatten writes a thing's fields as cells: nested fields as outer.inner, text that a spreadsheet would run as a
// formula with a leading apostrophe, and nothing for unset fields.
func flatten(line thing, outer string, of thing) {
	for name, value := range of {
		switch v := value.(type) {
		case thing:
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
func lineID(line thing) string {
	var id strings.Builder
	for _, name := range []string{"record", "batchId", "reminderId", "deviceId", "type", "note", "photoKey",
		"toStage", "toStatus"} {
		if text, ok := line[name]; ok {
			fmt.Fprintf(&id, "%v ", text)
		}
	}
	return strings.TrimSpace(id.String())
}
