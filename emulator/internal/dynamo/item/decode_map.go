package item

import (
	"bytes"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// decodeMap decodes an object of attribute values: an item, a key, or the value of an "M".
func (d *Decoder) decodeMap(r *jsonread.Reader) error {
	if r.Kind() != '{' {
		return mapError(r)
	}
	var at int
	d.buf, at = openContainer(d.buf, Map)
	first := len(d.entries) // entries of enclosing maps precede it
	err := r.Object(func(key []byte) error {
		e := entry{start: len(d.buf)}
		d.buf = appendText(d.buf, key)
		e.nameEnd = len(d.buf)
		e.name = e.nameEnd - len(key)
		if r.Kind() == 'n' { // null means that the entry is missing
			d.buf = d.buf[:e.start]
			return r.Null()
		}
		switch {
		case len(key) == 0:
			d.recordEmptyName()
		case len(key) > MaxNameBytes:
			d.recordInvalid(errLongName)
		}
		if err := d.decodeValue(r); err != nil {
			return err
		}
		e.end = len(d.buf)
		d.entries = append(d.entries, e)
		return nil
	})
	if err != nil {
		return err
	}
	d.sortEntries(at+containerHeader, d.entries[first:])
	d.entries = d.entries[:first]
	closeContainer(d.buf, at)
	return nil
}

func (d *Decoder) recordEmptyName() {
	if d.depth == 0 {
		d.recordInvalid(errEmptyName)
		return
	}
	d.recordInvalid(errEmptyKey)
}

// sortEntries sorts the entries from start by name. Of several entries with one name, the last one stays.
func (d *Decoder) sortEntries(start int, entries []entry) {
	byName := func(a, b entry) int {
		return bytes.Compare(d.buf[a.name:a.nameEnd], d.buf[b.name:b.nameEnd])
	}
	ascending := true
	for i := 1; i < len(entries) && ascending; i++ {
		ascending = byName(entries[i-1], entries[i]) < 0
	}
	if ascending {
		return
	}
	slices.SortStableFunc(entries, byName)
	d.scratch = d.scratch[:0]
	for i, e := range entries {
		if i+1 == len(entries) || byName(e, entries[i+1]) != 0 {
			d.scratch = append(d.scratch, d.buf[e.start:e.end]...)
		}
	}
	d.buf = append(d.buf[:start], d.scratch...)
}
