package resources

import (
	"net/http"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReadPartitionKeyRanges lists the partition key ranges of the container's physical partitions. SDKs read the list as a
// change feed, until 304 reports that nothing is new.
func ReadPartitionKeyRanges(c *operation.Call) *wire.Error {
	return operation.Do(c, readConditions, runReadPartitionKeyRanges)
}

func runReadPartitionKeyRanges(r *operation.Run, have engine.Conditions) *wire.Error {
	container := r.Container
	etag := strconv.Quote(strconv.Itoa(container.LastRangeID())) // before the ranges, which a split may change meanwhile
	r.Charge = throughput.ChargeMetadataRead
	r.Out.ETag = etag
	if have.NoneMatch == etag {
		r.ReplyNothing(http.StatusNotModified)
		return nil
	}
	parts := container.Partitions()
	var all []doc.Value
	for _, p := range parts {
		all = append(all, rangeResource(container, p, len(parts)))
	}
	r.ReplyFeed("PartitionKeyRanges", container.RID, all)
	return nil
}

// rangeResource returns a physical partition as the service returns it.
func rangeResource(c *engine.Container, r *engine.Partition, count int) doc.Value {
	number, _ := strconv.ParseUint(r.ID, 10, 32) // the ids of ranges are numbers
	d := c.Definition.Load()
	return doc.Object(
		doc.Member{Name: "_rid", Value: doc.String(c.ChildRID(wire.RIDPartitionKeyRange, number+2))},
		doc.Member{Name: "id", Value: doc.String(r.ID)},
		doc.Member{Name: "_etag", Value: doc.String(d.ETag)},
		doc.Member{Name: "minInclusive", Value: doc.String(r.Low.Hex())},
		doc.Member{Name: "maxExclusive", Value: doc.String(r.High.Hex())},
		doc.Member{Name: "ridPrefix", Value: doc.Number(float64(number))},
		doc.Member{Name: "_self", Value: doc.String(c.SelfLink() + "pkranges/" + c.ChildRID(wire.RIDPartitionKeyRange,
			number+2) + "/")},
		doc.Member{Name: "throughputFraction", Value: doc.Number(1 / float64(count))},
		doc.Member{Name: "status", Value: doc.String("online")},
		doc.Member{Name: "parents", Value: doc.Array(engine.StringValues(r.Parents)...)},
		doc.Member{Name: "_ts", Value: doc.Number(float64(d.Timestamp))},
		doc.Member{Name: "_lsn", Value: doc.Number(float64(c.Sequence.Floor()))},
	)
}
