package history

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The size of a page, in members and bytes.
const (
	defaultLimit = 100
	maxLimit     = 1000
	pageBytes    = 1 << 20
)

// page is a list in progress: its members in JSON.
type page struct {
	*request
	limit int
	json  []byte // each member after a comma
	count int
}

// newPage returns an empty page. Errors: the limit.
func (r *request) newPage() (*page, error) {
	p := &page{request: r, limit: defaultLimit}
	if r.Limit != nil {
		p.limit = *r.Limit
	}
	if p.limit < 1 || p.limit > maxLimit {
		return nil, mistake("limit must be from 1 to %d", maxLimit)
	}
	return p, nil
}

// full reports whether the page has as many members as it may, or the request has done its share of work.
func (p *page) full() bool { return p.count >= p.limit || len(p.json) >= pageBytes || p.spent() }

// spent reports whether the request has done its share of work.
func (r *request) spent() bool { return r.Bounds.Spent(r.work) }

// add adds a member that write appends.
func (p *page) add(write func(dst []byte) ([]byte, error)) (err error) {
	before := len(p.json)
	if p.json, err = write(append(p.json, ',')); err != nil {
		return err
	}
	p.count++
	return p.work.Grow(2 * (len(p.json) - before))
}

// finish returns an object with the members as a list, the token of the next page, and more members, each after a
// comma.
func (p *page) finish(name, next string, more ...byte) []byte {
	dst := append(doc.AppendString([]byte{'{'}, name), `:[`...)
	if len(p.json) > 0 {
		dst = append(dst, p.json[1:]...)
	}
	dst = doc.AppendString(append(dst, `],"next":`...), next)
	return append(append(dst, more...), '}')
}

// appendImage appends the item of an image as the service returns it; nil is null.
func (r *request) appendImage(dst, image []byte) ([]byte, error) {
	if image == nil {
		return append(dst, "null"...), nil
	}
	i, err := engine.ReadImage(image)
	if err != nil {
		return dst, err
	}
	return r.container.AppendJSON(dst, i), nil
}

// appendImages appends the images before and after a change as members.
func (r *request) appendImages(dst, before, after []byte) ([]byte, error) {
	dst, err := r.appendImage(append(dst, `,"before":`...), before)
	if err != nil {
		return dst, err
	}
	return r.appendImage(append(dst, `,"after":`...), after)
}

// current calls use with the image of the item with a key in History; nil if there is none.
func (r *request) current(reader *store.Reader, key []byte, use func(image []byte) error) error {
	return lookUp(reader, append(r.container.IdentitiesPrefix(), key...), func(rid []byte) error {
		if rid == nil {
			return use(nil)
		}
		rid = bytes.Clone(rid)
		return lookUp(reader, r.container.ItemKey(binary.BigEndian.Uint64(rid)), func(value []byte) error {
			if value == nil {
				return engine.ErrItem
			}
			return use(append(rid, value...))
		})
	})
}

// lookUp calls use with the value of a key; nil if there is none. It keeps nothing until the end of the Reader, unlike
// Get.
func lookUp(reader *store.Reader, key []byte, use func(value []byte) error) error {
	it := reader.Iter(key, append(bytes.Clone(key), 0), false)
	var value []byte
	if it.Next() {
		value = it.Value()
	}
	return errors.Join(use(value), it.Close())
}

// partitionKey returns a partition key from its JSON, with all its levels.
func (r *request) partitionKey(text []byte) (doc.PartitionKey, error) {
	key, err := doc.ParsePartitionKeyHeader(string(text))
	if err != nil {
		return nil, mistake("a partition key must be an array of its values, such as [\"a\"]")
	}
	complete, wireErr := operation.CompleteKey(r.container.Definition.Load(), key)
	if wireErr != nil {
		return nil, wireErr
	}
	return complete, nil
}

// identity returns the key in History of the item in the request, {"id":…,"partitionKey":[…]}.
func (r *request) identity() ([]byte, error) {
	v, err := doc.Parse(r.Key)
	if err != nil || v.Field("id").Kind() != doc.Text {
		return nil, mistake(`key must be {"id":"…","partitionKey":["…"]}`)
	}
	key, err := r.partitionKey(doc.Append(nil, v.Field("partitionKey")))
	if err != nil {
		return nil, err
	}
	epk := r.container.Definition.Load().Key.EPK(key)
	return engine.HistoryKey(r.container.IdentityKey(epk, key, v.Field("id").Str())), nil
}
