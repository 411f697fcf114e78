package cosmos

import (
	"net/http"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// readRanges lists the container's physical partitions: the ranges of effective partition keys that they have. SDKs read the
// list as a change feed: until 304 says that there is nothing new.
func readRanges(c *call) *Error {
	one := c.container
	parts := one.partitions()
	etag := strconv.Quote(parts[len(parts)-1].id)
	c.charge = chargeMetadataRead
	c.out.etag = etag
	if c.header("If-None-Match") == etag {
		c.replyNothing(http.StatusNotModified)
		return nil
	}
	var all []doc.Value
	for _, p := range parts {
		all = append(all, one.rangeResource(p, len(parts)))
	}
	c.replyFeed("PartitionKeyRanges", one.rid, all)
	return nil
}

// rangeResource is a physical partition as the service answers it.
func (c *container) rangeResource(r *partition, of int) doc.Value {
	number, _ := strconv.ParseUint(r.id, 10, 32) // ids of ranges are numbers
	d := c.definition.Load()
	return doc.Object(
		doc.Member{Name: "_rid", Value: doc.String(c.childRID(ridRange, number+2))},
		doc.Member{Name: "id", Value: doc.String(r.id)},
		doc.Member{Name: "_etag", Value: doc.String(d.etag)},
		doc.Member{Name: "minInclusive", Value: doc.String(r.Low.Hex())},
		doc.Member{Name: "maxExclusive", Value: doc.String(r.High.Hex())},
		doc.Member{Name: "ridPrefix", Value: doc.Number(float64(number))},
		doc.Member{Name: "_self", Value: doc.String(c.link() + "pkranges/" + c.childRID(ridRange, number+2) + "/")},
		doc.Member{Name: "throughputFraction", Value: doc.Number(1 / float64(of))},
		doc.Member{Name: "status", Value: doc.String("online")},
		doc.Member{Name: "parents", Value: doc.Array(texts(r.parents)...)},
		doc.Member{Name: "_ts", Value: doc.Number(float64(d.ts))},
		doc.Member{Name: "_lsn", Value: doc.Number(float64(c.sequence.floor()))},
	)
}

func texts(all []string) []doc.Value {
	values := make([]doc.Value, len(all))
	for i, text := range all {
		values[i] = doc.String(text)
	}
	return values
}
