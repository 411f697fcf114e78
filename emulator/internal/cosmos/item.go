package cosmos

import (
	"encoding/binary"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// item is an item as it is stored. It does not change.
type item struct {
	rid    uint64 // its number in the container, in the order of creation
	lsn    uint64 // the number of the transaction of its latest change
	shared bool   // that changed other items too
	ts     int64  // when that was, in seconds since 1970
	etag   GUID
	ttl    int64 // its own time to live in seconds; noTTL: the container's, foreverTTL: it lives on
	epk    doc.EPK
	id     string
	body   []byte // a JSON object without system properties

	unique []string // its entries of unique keys, where they are known: see uniqueOf

	indexing float64 // of an item that is to be written: what its index entries cost, in request units
}

// An item in the store: a letter for the form, lsn, ts, etag, ttl, the lengths of EPK and id in one and two bytes, these, and
// the body. Its rid is in the key.
const (
	itemForm   = 1
	sharedForm = 2 // its LSN is that of other items too
	itemHeader = 1 + 8 + 8 + 16 + 4 + 1 + 2
)

var errItem = errors.New("an item in the store cannot be read")

func (i *item) appendTo(dst []byte) []byte {
	form := byte(itemForm)
	if i.shared {
		form = sharedForm
	}
	dst = append(dst, form)
	dst = binary.BigEndian.AppendUint64(dst, i.lsn)
	dst = binary.BigEndian.AppendUint64(dst, uint64(i.ts))
	dst = append(dst, i.etag[:]...)
	dst = binary.BigEndian.AppendUint32(dst, uint32(int32(i.ttl)))
	dst = append(dst, byte(len(i.epk)))
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(i.id)))
	dst = append(dst, i.epk...)
	dst = append(dst, i.id...)
	return append(dst, i.body...)
}

// readItem reads an item from the store's memory. Its EPK and body are parts of that: clone keeps them.
func readItem(rid uint64, value []byte) (*item, error) {
	if len(value) < itemHeader || value[0] != itemForm && value[0] != sharedForm {
		return nil, errItem
	}
	i := &item{rid: rid, lsn: binary.BigEndian.Uint64(value[1:]), shared: value[0] == sharedForm,
		ts: int64(binary.BigEndian.Uint64(value[9:])), ttl: int64(int32(binary.BigEndian.Uint32(value[33:])))}
	copy(i.etag[:], value[17:33])
	epk, id := int(value[37]), int(binary.BigEndian.Uint16(value[38:]))
	rest := value[itemHeader:]
	if len(rest) < epk+id {
		return nil, errItem
	}
	i.epk, i.id, i.body = doc.EPK(rest[:epk]), string(rest[epk:epk+id]), rest[epk+id:]
	return i, nil
}

// clone is the item in memory of its own.
func (i *item) clone() *item {
	one := *i
	one.epk = append(doc.EPK(nil), i.epk...)
	one.body = append([]byte(nil), i.body...)
	return &one
}

// size is the item's size in bytes as the service counts it: its JSON.
func (i *item) size() int { return len(i.body) }

// expires is when the item's life ends, in seconds since 1970; 0: it does not end.
func (i *item) expires(defaultTTL int64) int64 {
	life := defaultTTL
	if i.ttl != noTTL && defaultTTL != noTTL {
		life = i.ttl
	}
	if life == noTTL || life == foreverTTL {
		return 0
	}
	return i.ts + life
}

// expired says whether the item's life is over.
func (i *item) expired(defaultTTL, now int64) bool {
	end := i.expires(defaultTTL)
	return end != 0 && end <= now
}

// appendJSON writes the item as the service answers it: with its system properties.
func (c *container) appendJSON(dst []byte, i *item) []byte {
	dst = append(dst, i.body[:len(i.body)-1]...) // an object, with an id at least
	rid := c.childRID(ridItem, i.rid)
	dst = append(dst, `,"_rid":"`...)
	dst = append(dst, rid...)
	dst = append(dst, `","_self":"`...)
	dst = append(dst, c.link()...)
	dst = append(dst, "docs/"...)
	dst = append(dst, rid...)
	dst = append(dst, `/","_etag":"\"`...)
	dst = i.etag.appendTo(dst)
	dst = append(dst, `\"","_attachments":"attachments/","_ts":`...)
	dst = appendInt(dst, i.ts)
	return append(dst, '}')
}

// value is the item with its system properties.
func (c *container) value(i *item) (doc.Value, error) {
	v, err := doc.Parse(i.body)
	if err != nil {
		return v, errItem
	}
	rid := c.childRID(ridItem, i.rid)
	members := append(v.Members(),
		doc.Member{Name: "_rid", Value: doc.String(rid)},
		doc.Member{Name: "_self", Value: doc.String(c.link() + "docs/" + rid + "/")},
		doc.Member{Name: "_etag", Value: doc.String(i.etag.ETag())},
		doc.Member{Name: "_attachments", Value: doc.String("attachments/")},
		doc.Member{Name: "_ts", Value: doc.Number(float64(i.ts))},
	)
	return doc.Object(members...), nil
}
