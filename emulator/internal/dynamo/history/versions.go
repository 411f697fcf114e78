package history

import (
	"bytes"
	"fmt"
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// VersionsInput reads the changes of an item.
type VersionsInput struct {
	pageInput
	TableName wire.TableName
	Key       wire.Attributes
}

func (in *VersionsInput) Decode(d *wire.Decoder) error {
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "TableName":
			return d.TableName(&in.TableName)
		case "Key":
			return d.Attributes(&in.Key)
		}
		if known, err := in.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *VersionsInput) Check() error {
	if err := wire.ReadErrors.Convert(in.Key.Err); err != nil {
		return err
	}
	return in.check()
}

func (in *VersionsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Action: "GetItem", Table: in.TableName.V, Item: in.Key.Value})
}

// VersionsOutput is a page of the changes of an item, the newest first.
type VersionsOutput struct {
	page
	next string
}

func (o *VersionsOutput) AppendJSON(dst []byte) []byte {
	from := len(dst)
	dst = o.appendList(dst, "versions")
	dst[from] = '{' // in place of the comma
	return append(appendNext(dst, o.next), '}')
}

// cursor is how far the changes of an item are read, backward.
type cursor struct {
	to changelog.Position // the next page begins here
	// anchor is the last change of the previous page: the image before it is that after the next change. 0: none was
	// found yet, and there is none after to up to none.
	anchor, none changelog.Position
}

// token returns the cursor as the token of a page.
func (c cursor) token() string { return fmt.Sprintf("v%d.%d.%d", c.to, c.anchor, c.none) }

// startCursor returns where a page begins.
func (in *pageInput) startCursor(latest changelog.Position) (c cursor, err error) {
	if in.Start.V == "" {
		return cursor{to: latest, none: latest}, nil
	}
	if _, err := fmt.Sscanf(in.Start.V, "v%d.%d.%d", &c.to, &c.anchor, &c.none); err != nil || c.token() != in.Start.V {
		return c, errStart
	}
	c.to = min(c.to, latest)
	return c, nil
}

// Versions reads the changes of an item, the newest first.
func Versions(req *engine.Request, in *VersionsInput) (*VersionsOutput, error) {
	t, err := findTable(req, in.TableName.V)
	if err != nil {
		return nil, err
	}
	if err := t.Keys.CheckKey(in.Key.Value); err != nil {
		return nil, err
	}
	moments := spanOf(req, t)
	c, err := in.startCursor(moments.latest)
	if err != nil {
		return nil, err
	}
	out := &VersionsOutput{page: page{req: req, limit: in.limit()}}
	v := &versions{out, t, t.Key(in.Key.Value)[engine.KeyPrefixLength:], c}
	return out, req.Engine.Store.View(func(r *store.Reader) error {
		if err := t.CheckCurrent(); err != nil {
			return err
		}
		image, found, err := v.imageAfter(r, moments)
		if err != nil || !found {
			return err
		}
		return v.read(r, image, moments.earliest)
	})
}

// versions reads the changes of one item.
type versions struct {
	*VersionsOutput
	table *engine.Table
	key   []byte // without the table's prefix
	cursor
}

// imageAfter returns the image after the first change of the page. found is false if the request has done its share of
// work.
func (v *versions) imageAfter(r *store.Reader, moments span) (image item.Value, found bool, err error) {
	if v.anchor == 0 {
		if err := v.findAnchor(r, moments); err != nil || v.next != "" {
			return nil, false, err
		}
	}
	keep := func(it item.Value) error {
		image = bytes.Clone(it)
		return nil
	}
	if v.anchor == 0 {
		return image, true, current(r, v.table, v.key, keep)
	}
	if err := v.checkAnchor(r); err != nil {
		return nil, false, err
	}
	err = imageBefore(r, v.table, v.anchor, keep)
	return image, true, err
}

// checkAnchor returns an error if a token names a change of another item, which the user may not be allowed to read.
func (v *versions) checkAnchor(r *store.Reader) error {
	err := errStart
	readErr := v.table.Log.Read(r, v.anchor, v.anchor, false,
		func(_ changelog.Position, record changelog.Record) (bool, error) {
			if bytes.Equal(record.Key, v.key) {
				err = nil
			}
			return false, nil
		})
	if readErr != nil {
		return readErr
	}
	return err
}

// findAnchor looks for a change of the item after those that are read.
func (v *versions) findAnchor(r *store.Reader, moments span) error {
	return v.table.Log.Read(r, max(v.none, moments.earliest)+1, math.MaxUint64, false,
		func(p changelog.Position, record changelog.Record) (bool, error) {
			if bytes.Equal(record.Key, v.key) {
				v.anchor = p
				return false, nil
			}
			if spent(v.req) {
				v.none = min(p, moments.latest)
				v.next = v.token()
				return false, nil
			}
			return true, v.req.Work.Step(recordSteps(&record))
		})
}

// read reads changes until the page is full or nothing is left. image is the item after the first.
func (v *versions) read(r *store.Reader, image item.Value, earliest changelog.Position) error {
	return v.table.Log.Read(r, earliest+1, v.to, true, func(p changelog.Position, record changelog.Record) (bool, error) {
		isOther := !bytes.Equal(record.Key, v.key)
		if isOther && spent(v.req) || !isOther && v.full() {
			v.to = p
			v.next = v.token()
			return false, nil
		}
		if err := v.req.Work.Step(recordSteps(&record)); err != nil || isOther {
			return err == nil, err
		}
		v.anchor = p
		before := item.Value(record.Old)
		if record.Kind == changelog.Insert {
			before = nil
		}
		err := v.add(func(dst []byte) []byte { return appendVersion(dst, p, &record, before, image) })
		image = bytes.Clone(before)
		return true, err
	})
}

func appendVersion(dst []byte, p changelog.Position, r *changelog.Record, before, after item.Value) []byte {
	user, operation := changelog.ReadAuthor(r.Author)
	dst = jsonwrite.AppendString(append(dst, `{"at":`...), timeText(p))
	dst = jsonwrite.AppendString(append(dst, `,"kind":`...), kindOf(r, operation))
	dst = jsonwrite.AppendString(append(dst, `,"user":`...), user)
	dst = jsonwrite.AppendString(append(dst, `,"operation":`...), operation)
	return append(appendImages(dst, before, after), '}')
}

// kindOf returns the kind of a change: put, update, delete or expire.
func kindOf(r *changelog.Record, operation string) string {
	switch {
	case r.Kind == changelog.Remove && r.ByService:
		return "expire"
	case r.Kind == changelog.Remove:
		return "delete"
	case operation == "UpdateItem", r.Kind == changelog.Modify && operation != "PutItem" && operation != "BatchWriteItem":
		return "update"
	}
	return "put"
}
