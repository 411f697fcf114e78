package transfer

import (
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// recordWriter writes the lines of data files. Its result is valid until the next one.
type recordWriter struct {
	ion  bool
	line []byte
}

func newRecordWriter(x *Export) *recordWriter {
	return &recordWriter{ion: orDefault(x.Input.ExportFormat, dynamoJSON) == ion}
}

// item returns the line of an item in a full export.
func (w *recordWriter) item(it item.Value) []byte {
	if w.ion {
		w.line = append(appendIonItem(append(w.line[:0], "$ion_1_0 {Item:"...), it), "}\n"...)
		return w.line
	}
	w.line = append(it.AppendItem(append(w.line[:0], `{"Item":`...)), "}\n"...)
	return w.line
}

// change is a change of an item in an incremental export.
type change struct {
	last     changelog.Position // the time of the last write
	key      item.Value
	old, new item.Value // nil: there was no item
}

// change returns the line of a change. images is whether the old image is included. The form is that of exports of AWS
// from 2024: WriteTimestampMicros is an attribute value, while AWS's documentation shows a string.
func (w *recordWriter) change(c *change, images bool) []byte {
	micros := strconv.FormatInt(c.last.Time().UnixMicro(), 10)
	old := c.old
	if !images {
		old = nil
	}
	if w.ion {
		w.line = append(w.line[:0], "$ion_1_0 {Record:{Metadata:{WriteTimestampMicros:"...)
		w.line = append(append(w.line, micros...), ".},Keys:"...)
		w.line = appendIonItem(w.line, c.key)
		w.appendImage(",OldImage:", old, appendIonItem)
		w.appendImage(",NewImage:", c.new, appendIonItem)
		w.line = append(w.line, "}}\n"...)
		return w.line
	}
	w.line = append(w.line[:0], `{"Metadata":{"WriteTimestampMicros":{"N":"`...)
	w.line = append(append(w.line, micros...), `"}},"Keys":`...)
	w.line = c.key.AppendItem(w.line)
	appendJSON := func(dst []byte, it item.Value) []byte { return it.AppendItem(dst) }
	w.appendImage(`,"OldImage":`, old, appendJSON)
	w.appendImage(`,"NewImage":`, c.new, appendJSON)
	w.line = append(w.line, "}\n"...)
	return w.line
}

func (w *recordWriter) appendImage(name string, it item.Value, appendItem func([]byte, item.Value) []byte) {
	if it != nil {
		w.line = appendItem(append(w.line, name...), it)
	}
}
