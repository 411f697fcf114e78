package cosmos

import (
	"net/http"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// readRanges lists the container's physical partitions: the ranges of effective partition keys that they have. SDKs read the
// list as a change feed: until 304 says that there is nothing new.
func (c *call) readRanges() *Error {
	one := c.container
	ranges := one.ranges()
	etag := strconv.Quote(strconv.Itoa(len(ranges)))
	c.charge = chargeMetadataRead
	c.out.etag = etag
	if c.head("If-None-Match") == etag {
		c.replyNothing(http.StatusNotModified)
		return nil
	}
	var all []doc.Value
	for _, r := range ranges {
		all = append(all, one.rangeResource(r, len(ranges)))
	}
	c.replyFeed("PartitionKeyRanges", one.rid, all)
	return nil
}

// keyRange is a physical partition: the effective partition keys from low on, before high.
type keyRange struct {
	id        string
	low, high doc.EPK
}

// holds says whether the partition has an effective partition key.
func (k keyRange) holds(e doc.EPK) bool {
	return string(e) >= string(k.low) && string(e) < string(k.high)
}

// ranges are the container's physical partitions, in the order of their keys.
func (c *container) ranges() []keyRange {
	return []keyRange{{id: "0", high: doc.MaxEPK()}}
}

// rangeOf is the physical partition of an effective partition key.
func (c *container) rangeOf(e doc.EPK) keyRange {
	all := c.ranges()
	for _, r := range all {
		if r.holds(e) {
			return r
		}
	}
	return all[len(all)-1]
}

func (c *container) rangeResource(r keyRange, of int) doc.Value {
	number, _ := strconv.ParseUint(r.id, 10, 32) // ids of ranges are numbers
	d := c.definition.Load()
	return doc.Object(
		doc.Member{Name: "_rid", Value: doc.String(c.childRID(ridRange, number+2))},
		doc.Member{Name: "id", Value: doc.String(r.id)},
		doc.Member{Name: "_etag", Value: doc.String(d.etag)},
		doc.Member{Name: "minInclusive", Value: doc.String(r.low.Hex())},
		doc.Member{Name: "maxExclusive", Value: doc.String(r.high.Hex())},
		doc.Member{Name: "ridPrefix", Value: doc.Number(float64(number))},
		doc.Member{Name: "_self", Value: doc.String(c.link() + "pkranges/" + c.childRID(ridRange, number+2) + "/")},
		doc.Member{Name: "throughputFraction", Value: doc.Number(1 / float64(of))},
		doc.Member{Name: "status", Value: doc.String("online")},
		doc.Member{Name: "parents", Value: doc.Array()},
		doc.Member{Name: "_ts", Value: doc.Number(float64(d.ts))},
		doc.Member{Name: "_lsn", Value: doc.Number(float64(c.sequence.floor()))},
	)
}
