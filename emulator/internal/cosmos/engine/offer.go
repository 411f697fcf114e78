package engine

import (
	"math"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// MetaOffer is the kind of offers under partMeta; their names are numbers.
const metaOffer = keyspace.CatalogOffer

// Offer is the throughput of a database or of a container, as a resource of its own. It does not change: a replace
// makes another one. The catalogue holds it.
type Offer struct {
	number uint32
	rid    string
	owner  string // the resource id of the database or container
	link   string // its _self
	throughput.Provisioned
	highest   int // that there ever was: the least that there may be is a hundredth of it
	ETag      string
	timestamp int64
}

// offerRID is the resource id of an offer: three bytes, as the service's have it.
func offerRID(number uint32) string {
	return wire.EncodeRID([]byte{byte(number >> 16), byte(number >> 8), byte(number)})
}

// Least is the lowest throughput that a replace may ask for ("Provisioned throughput in Azure Cosmos DB": the minimum
// is the highest of 400, 1 RU/s for each GB, and a hundredth of the highest ever; of autoscale a tenth of the highest
// maximum).
func (o *Offer) Least() int {
	if o.Maximum > 0 {
		return max(throughput.MinAutoscale, RoundUp(float64(o.highest)*throughput.AutoscaleFloor, throughput.AutoStep))
	}
	return max(throughput.MinManual, RoundUp(float64(o.highest)/100, throughput.ManualStep))
}

// RoundUp rounds up to a multiple of a step.
func RoundUp(n float64, step int) int {
	return int(math.Ceil(n/float64(step))) * step
}

// Resource is the offer as the service answers it. Its resource is exactly the _self of what it is for: SDKs look for
// that.
func (o *Offer) Resource() doc.Value {
	return doc.Object(
		doc.Member{Name: "resource", Value: doc.String(o.link)},
		doc.Member{Name: "offerType", Value: doc.String("Invalid")},
		doc.Member{Name: "offerResourceId", Value: doc.String(o.owner)},
		doc.Member{Name: "offerVersion", Value: doc.String("V2")},
		doc.Member{Name: "content", Value: o.Content(o.highest)},
		doc.Member{Name: "id", Value: doc.String(o.rid)},
		doc.Member{Name: "_rid", Value: doc.String(o.rid)},
		doc.Member{Name: "_self", Value: doc.String("offers/" + o.rid + "/")},
		doc.Member{Name: "_etag", Value: doc.String(o.ETag)},
		doc.Member{Name: "_ts", Value: doc.Number(float64(o.timestamp))},
	)
}

// record is the offer as it is stored.
func (o *Offer) record() []byte {
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "owner", Value: doc.String(o.owner)},
		doc.Member{Name: "link", Value: doc.String(o.link)},
		doc.Member{Name: "manual", Value: doc.Number(float64(o.Manual))},
		doc.Member{Name: "maximum", Value: doc.Number(float64(o.Maximum))},
		doc.Member{Name: "increment", Value: doc.Number(float64(o.Increment))},
		doc.Member{Name: "highest", Value: doc.Number(float64(o.highest))},
		doc.Member{Name: "etag", Value: doc.String(o.ETag)},
		doc.Member{Name: "ts", Value: doc.Number(float64(o.timestamp))},
	))
}

func offerOf(number uint32, v doc.Value) *Offer {
	n := func(name string) int { return int(v.Field(name).Float()) }
	return &Offer{number: number, rid: offerRID(number), owner: v.Field("owner").Str(), link: v.Field("link").Str(),
		Provisioned: throughput.Provisioned{Manual: n("manual"), Maximum: n("maximum"), Increment: n("increment")},
		highest:     n("highest"), ETag: v.Field("etag").Str(), timestamp: int64(n("ts"))}
}

// newOffer is the offer of a resource that is being made, while the catalogue is being changed.
func (s *State) newOffer(owner, link string, t throughput.Provisioned) *Offer {
	number := s.Catalog.lastOffer + 1
	return &Offer{number: number, rid: offerRID(number), owner: owner, link: link, Provisioned: t, highest: t.Rate(),
		ETag: s.Random.GUID().ETag(), timestamp: s.Now().Unix()}
}

// addOffer enters an offer, in place of the one that its resource had.
func (c *Catalog) addOffer(o *Offer) {
	c.offers[o.owner] = o
	c.lastOffer = max(c.lastOffer, o.number)
}

// offerOf is the offer of a database or container, by its resource id; nil where it has none of its own.
func (c *Catalog) offerOf(owner string) *Offer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.offers[owner]
}

// Offer is the offer of a resource id of its own. SDKs write it in lower case too, so where none has it exactly, the
// only one that has it so is meant.
func (c *Catalog) Offer(rid string) *Offer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var folded []*Offer
	for _, o := range c.offers {
		if o.rid == rid {
			return o
		}
		if strings.EqualFold(o.rid, rid) {
			folded = append(folded, o)
		}
	}
	if len(folded) == 1 {
		return folded[0]
	}
	return nil
}

// AllOffers are all offers, in the order in which their resources were made.
func (c *Catalog) AllOffers() []*Offer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []*Offer
	for _, o := range c.offers {
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b *Offer) int { return int(a.number) - int(b.number) })
	return all
}
