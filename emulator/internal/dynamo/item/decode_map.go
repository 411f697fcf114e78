package item

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// decodeMap decodes an object of attribute values: an item, a key, or the value of an "M".
func (d *Decoder) decodeMap(r *jsonread.Reader) error {
	if r.Kind() != '{' {
		return mapError(r)
	}
	var at int
	d.buf, at = AppendOpen(d.buf, Map)
	first := len(d.entries) // entries of enclosing maps precede it
	err := r.Object(func(key []byte) error {
		e := entry{start: len(d.buf), prefix: prefixOf(key)}
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
	AppendClose(d.buf, at)
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
	ascending := true
	for i := 1; i < len(entries) && ascending; i++ {
		ascending = d.compareNames(&entries[i-1], &entries[i]) < 0
	}
	if ascending {
		return
	}
	d.sortByName(entries)
	d.scratch = d.scratch[:0]
	for i := range entries {
		e := &entries[i]
		if i+1 == len(entries) || d.compareNames(e, &entries[i+1]) != 0 {
			d.scratch = append(d.scratch, d.buf[e.start:e.end]...)
		}
	}
	d.buf = append(d.buf[:start], d.scratch...)
}

// fewEntries is the most entries that are sorted by insertion.
const fewEntries = 24

// sortByName sorts entries by name, those with one name in their order. Most items have few attributes: they are sorted
// by insertion, which copies no entry to compare it.
func (d *Decoder) sortByName(entries []entry) {
	if len(entries) > fewEntries {
		slices.SortStableFunc(entries, func(a, b entry) int { return d.compareNames(&a, &b) })
		return
	}
	for i := 1; i < len(entries); i++ {
		e := entries[i]
		at := i
		for ; at > 0 && d.compareNames(&entries[at-1], &e) > 0; at-- {
			entries[at] = entries[at-1]
		}
		entries[at] = e
	}
}

func (d *Decoder) compareNames(a, b *entry) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	return bytes.Compare(d.buf[a.name:a.nameEnd], d.buf[b.name:b.nameEnd])
}

// prefixOf returns the first eight bytes of a name as a number whose order is theirs. Missing bytes are zero.
func prefixOf(name []byte) uint64 {
	if len(name) >= 8 {
		return binary.BigEndian.Uint64(name)
	}
	var prefix uint64
	for i, c := range name {
		prefix |= uint64(c) << (56 - 8*i)
	}
	return prefix
}
