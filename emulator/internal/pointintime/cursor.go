package pointintime

import (
	"bytes"
	"fmt"
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Cursor is how far the changes of an item are read, backward.
type Cursor struct {
	to changelog.Position // the next page begins here
	// anchor is the last change of the previous page: the image before it is that after the next change. 0: none was
	// found yet, and there is none from to up to none.
	anchor, none changelog.Position
}

// Token returns the cursor as the token of a page.
func (c *Cursor) Token() string { return fmt.Sprintf("v%d.%d.%d", c.to, c.anchor, c.none) }

// ParseCursor returns the cursor of a token; empty: that of the first page.
func (m Moments) ParseCursor(token string) (*Cursor, error) {
	if token == "" {
		return &Cursor{to: m.Latest, none: m.Latest}, nil
	}
	c := new(Cursor)
	if _, err := fmt.Sscanf(token, "v%d.%d.%d", &c.to, &c.anchor, &c.none); err != nil || c.Token() != token {
		return nil, ErrStart
	}
	c.to = min(c.to, m.Latest)
	return c, nil
}

// Item is an item whose versions are read.
type Item struct {
	Log *changelog.Log
	Key []byte // of its records
	// Current calls use with its current image, nil if there is none.
	Current func(use func(image []byte) error) error
}

// Version is a change of an item, and the images before and after it; nil if there was no item. It is valid only during
// the call that gets it.
type Version struct {
	At            changelog.Position
	Record        *changelog.Record
	Before, After []byte
}

// versions reads the changes of an item.
type versions struct {
	*Cursor
	Item
	reader  *store.Reader
	moments Moments
	work    *budget.Budget
	bounds  Bounds
}

// Read visits changes of an item, the newest first, as long as full returns false. more reports whether there may be
// others, at the cursor.
func (c *Cursor) Read(r *store.Reader, of Item, m Moments, work *budget.Budget, bounds Bounds, full func() bool,
	visit func(*Version) error) (more bool, err error) {
	v := &versions{c, of, r, m, work, bounds}
	after, found, err := v.imageAfter()
	if err != nil || !found {
		return !found, err
	}
	return v.read(after, full, visit)
}

// imageAfter returns the image after the first change of the page. found is false if the request has done its share of
// work.
func (v *versions) imageAfter() (image []byte, found bool, err error) {
	if v.anchor == 0 {
		if found, err := v.findAnchor(); err != nil || !found {
			return nil, false, err
		}
	}
	keep := func(current []byte) error {
		image = bytes.Clone(current)
		return nil
	}
	if v.anchor == 0 {
		return image, true, v.Current(keep)
	}
	isOwn := false // a token must not show another item, which the user may not be allowed to read
	err = v.Log.Read(v.reader, v.anchor, v.anchor, false,
		func(_ changelog.Position, record changelog.Record) (bool, error) {
			isOwn = bytes.Equal(record.Key, v.Key)
			return false, keep(imageBefore(&record))
		})
	if err == nil && !isOwn {
		err = ErrStart
	}
	return image, true, err
}

// findAnchor looks for a change of the item after those that are read. found is false if the request has done its share
// of work before it knows.
func (v *versions) findAnchor() (found bool, err error) {
	found = true
	err = v.Log.Read(v.reader, max(v.none, v.moments.Earliest)+1, math.MaxUint64, false,
		func(p changelog.Position, record changelog.Record) (bool, error) {
			if bytes.Equal(record.Key, v.Key) {
				v.anchor = p
				return false, nil
			}
			if v.bounds.Spent(v.work) {
				v.none, found = min(p, v.moments.Latest), false
				return false, nil
			}
			return true, v.work.Step(recordSteps(&record))
		})
	return found, err
}

// read reads changes. image is the item after the first.
func (v *versions) read(image []byte, full func() bool, visit func(*Version) error) (more bool, err error) {
	err = v.Log.Read(v.reader, v.moments.Earliest+1, v.to, true,
		func(p changelog.Position, record changelog.Record) (bool, error) {
			isOther := !bytes.Equal(record.Key, v.Key)
			if more = v.bounds.Spent(v.work) || !isOther && full(); more {
				v.to = p
				return false, nil
			}
			if err := v.work.Step(recordSteps(&record)); err != nil || isOther {
				return err == nil, err
			}
			v.anchor = p
			before := imageBefore(&record)
			err := visit(&Version{At: p, Record: &record, Before: before, After: image})
			image = bytes.Clone(before)
			return true, err
		})
	return more, err
}

// KindOf returns the kind of a change: put, update, delete or expire. puts and updates report whether an operation
// always puts or updates items.
func KindOf(r *changelog.Record, puts, updates bool) string {
	switch {
	case r.Kind == changelog.Remove && r.ByService:
		return "expire"
	case r.Kind == changelog.Remove:
		return "delete"
	case updates, r.Kind == changelog.Modify && !puts:
		return "update"
	}
	return "put"
}
