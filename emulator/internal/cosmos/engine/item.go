package engine

import (
	"encoding/binary"
	"errors"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Item is a stored item. It is immutable.
type Item struct {
	RID       uint64 // its number in the container, in order of creation
	LSN       uint64 // log sequence number of the transaction that changed it last
	sharedLSN bool   // that transaction changed other items too
	Timestamp int64  // when that was, in Unix seconds
	ETag      GUID
	ttl       int64 // its own time to live in seconds; NoTTL: the container's applies; neverExpires: it never expires
	EPK       doc.EPK
	ID        string
	Body      []byte // a JSON object without system properties

	uniqueEntries []string // its unique key entries, if known: see uniqueEntriesOf

	IndexingCharge float64 // for an item about to be written: the cost of its index entries, in request units
}

// The stored form of an item: a byte for the format, LSN, timestamp, ETag, TTL, the lengths of the EPK (one byte) and
// the id (two bytes), the EPK, the id, and the body. The rid is in the key.
const (
	itemFormat      = 1
	sharedLSNFormat = 2 // the transaction with its LSN changed other items too
	itemHeader      = 1 + 8 + 8 + 16 + 4 + 1 + 2
)

var ErrItem = errors.New("an item in the store cannot be read")

func (i *Item) appendTo(dst []byte) []byte {
	format := byte(itemFormat)
	if i.sharedLSN {
		format = sharedLSNFormat
	}
	dst = append(dst, format)
	dst = binary.BigEndian.AppendUint64(dst, i.LSN)
	dst = binary.BigEndian.AppendUint64(dst, uint64(i.Timestamp))
	dst = append(dst, i.ETag[:]...)
	dst = binary.BigEndian.AppendUint32(dst, uint32(int32(i.ttl)))
	dst = append(dst, byte(len(i.EPK)))
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(i.ID)))
	dst = append(dst, i.EPK...)
	dst = append(dst, i.ID...)
	return append(dst, i.Body...)
}

// ReadItem parses a stored item. Its EPK and body alias value; use clone to keep them.
func ReadItem(rid uint64, value []byte) (*Item, error) {
	i := &Item{}
	if err := ReadItemInto(i, rid, value); err != nil {
		return nil, err
	}
	return i, nil
}

// ReadItemInto is ReadItem with the memory of another item.
func ReadItemInto(i *Item, rid uint64, value []byte) error {
	if len(value) < itemHeader || value[0] != itemFormat && value[0] != sharedLSNFormat {
		return ErrItem
	}
	*i = Item{RID: rid, LSN: binary.BigEndian.Uint64(value[1:]), sharedLSN: value[0] == sharedLSNFormat,
		Timestamp: int64(binary.BigEndian.Uint64(value[9:])), ttl: int64(int32(binary.BigEndian.Uint32(value[33:])))}
	copy(i.ETag[:], value[17:33])
	epk, id := int(value[37]), int(binary.BigEndian.Uint16(value[38:]))
	rest := value[itemHeader:]
	if len(rest) < epk+id {
		return ErrItem
	}
	i.EPK, i.ID, i.Body = doc.EPK(rest[:epk]), string(rest[epk:epk+id]), rest[epk+id:]
	return nil
}

// clone returns a copy of the item that does not alias the store's memory.
func (i *Item) clone() *Item {
	c := *i
	c.EPK = append(doc.EPK(nil), i.EPK...)
	c.Body = append([]byte(nil), i.Body...)
	return &c
}

// Size returns the size of the item as the service counts it: the bytes of its JSON.
func (i *Item) Size() int { return len(i.Body) }

// expiresAt returns the time when the item expires, in Unix seconds; 0: never.
func (i *Item) expiresAt(defaultTTL int64) int64 {
	life := defaultTTL
	if i.ttl != NoTTL && defaultTTL != NoTTL {
		life = i.ttl
	}
	if life == NoTTL || life == neverExpires {
		return 0
	}
	return i.Timestamp + life
}

// Expired reports whether the item has expired.
func (i *Item) Expired(defaultTTL, now int64) bool {
	end := i.expiresAt(defaultTTL)
	return end != 0 && end <= now
}

// AppendJSON appends the item as the service returns it, with its system properties.
func (c *Container) AppendJSON(dst []byte, i *Item) []byte {
	dst = append(dst, i.Body[:len(i.Body)-1]...) // an object with at least an id
	dst = append(dst, `,"_rid":"`...)
	begin := len(dst)
	dst = c.appendChildRID(dst, wire.RIDItem, i.RID)
	rid := dst[begin:]
	dst = append(dst, `","_self":"`...)
	dst = append(dst, c.SelfLink()...)
	dst = append(dst, "docs/"...)
	dst = append(dst, rid...)
	dst = append(dst, `/","_etag":"\"`...)
	dst = i.ETag.AppendTo(dst)
	dst = append(dst, `\"","_attachments":"attachments/","_ts":`...)
	dst = AppendInt(dst, i.Timestamp)
	return append(dst, '}')
}

// Value returns the item with its system properties.
func (c *Container) Value(i *Item) (doc.Value, error) {
	v, err := doc.Parse(i.Body)
	if err != nil {
		return v, ErrItem
	}
	rid := c.ChildRID(wire.RIDItem, i.RID)
	members := append(v.Members(),
		doc.Member{Name: "_rid", Value: doc.String(rid)},
		doc.Member{Name: "_self", Value: doc.String(c.SelfLink() + "docs/" + rid + "/")},
		doc.Member{Name: "_etag", Value: doc.String(i.ETag.ETag())},
		doc.Member{Name: "_attachments", Value: doc.String("attachments/")},
		doc.Member{Name: "_ts", Value: doc.Number(float64(i.Timestamp))},
	)
	return doc.Object(members...), nil
}

// AppendInt appends a number in decimal.
func AppendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

// changeFeedKey returns the key of an item's entry in the change feed.
func (c *Container) changeFeedKey(i *Item) []byte {
	key := c.changeFeedPrefix(i.LSN)
	if i.sharedLSN {
		key = store.AppendUint64(key, i.RID)
	}
	return key
}

// replaceSurcharge is the extra cost of replacing an item over creating it, as a fraction of the write's charge by
// size. Live account, October 2026: 10.67 where the create cost 6.67, and 11.05 where it cost 7.05.
const replaceSurcharge = 0.8

// ChargeWrite returns the request units charged for creating or deleting an item.
func ChargeWrite(i *Item) float64 {
	return throughput.BySize(throughput.WriteFigures, i.Size()) + i.IndexingCharge
}

// ChargeReplace returns the request units charged for replacing an item.
func ChargeReplace(i *Item) float64 {
	return ChargeWrite(i) + replaceSurcharge*throughput.BySize(throughput.WriteFigures, i.Size())
}
