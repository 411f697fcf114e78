package cosmos

import (
	"math"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// metaOffer is the kind of offers under partMeta; their names are numbers.
const metaOffer = 'o'

// offer is the throughput of a database or of a container, as a resource of its own. It does not change: a replace makes
// another one. The catalogue holds it.
type offer struct {
	number uint32
	rid    string
	owner  string // the resource id of the database or container
	link   string // its _self
	Provisioned
	highest int // that there ever was: the least that there may be is a hundredth of it
	etag    string
	ts      int64
}

// offerRID is the resource id of an offer: three bytes, as the service's have it.
func offerRID(number uint32) string {
	return encodeRID([]byte{byte(number >> 16), byte(number >> 8), byte(number)})
}

// least is the lowest throughput that a replace may ask for ("Provisioned throughput in Azure Cosmos DB": the minimum is the
// highest of 400, 1 RU/s for each GB, and a hundredth of the highest ever; of autoscale a tenth of the highest maximum).
func (o *offer) least() int {
	if o.maximum > 0 {
		return max(minAutoscale, roundUp(float64(o.highest)*autoscaleFloor, autoStep))
	}
	return max(minManual, roundUp(float64(o.highest)/100, manualStep))
}

func roundUp(n float64, step int) int {
	return int(math.Ceil(n/float64(step))) * step
}

// resource is the offer as the service answers it. Its resource is exactly the _self of what it is for: SDKs look for that.
func (o *offer) resource() doc.Value {
	return doc.Object(
		doc.Member{Name: "resource", Value: doc.String(o.link)},
		doc.Member{Name: "offerType", Value: doc.String("Invalid")},
		doc.Member{Name: "offerResourceId", Value: doc.String(o.owner)},
		doc.Member{Name: "offerVersion", Value: doc.String("V2")},
		doc.Member{Name: "content", Value: o.content(o.highest)},
		doc.Member{Name: "id", Value: doc.String(o.rid)},
		doc.Member{Name: "_rid", Value: doc.String(o.rid)},
		doc.Member{Name: "_self", Value: doc.String("offers/" + o.rid + "/")},
		doc.Member{Name: "_etag", Value: doc.String(o.etag)},
		doc.Member{Name: "_ts", Value: doc.Number(float64(o.ts))},
	)
}

// record is the offer as it is stored.
func (o *offer) record() []byte {
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "owner", Value: doc.String(o.owner)},
		doc.Member{Name: "link", Value: doc.String(o.link)},
		doc.Member{Name: "manual", Value: doc.Number(float64(o.manual))},
		doc.Member{Name: "maximum", Value: doc.Number(float64(o.maximum))},
		doc.Member{Name: "increment", Value: doc.Number(float64(o.increment))},
		doc.Member{Name: "highest", Value: doc.Number(float64(o.highest))},
		doc.Member{Name: "etag", Value: doc.String(o.etag)},
		doc.Member{Name: "ts", Value: doc.Number(float64(o.ts))},
	))
}

func offerOf(number uint32, v doc.Value) *offer {
	n := func(name string) int { return int(v.Field(name).Float()) }
	return &offer{number: number, rid: offerRID(number), owner: v.Field("owner").Str(), link: v.Field("link").Str(),
		Provisioned: Provisioned{manual: n("manual"), maximum: n("maximum"), increment: n("increment")},
		highest:     n("highest"), etag: v.Field("etag").Str(), ts: int64(n("ts"))}
}

// newOffer is the offer of a resource that is being made, while the catalogue is being changed.
func (s *state) newOffer(owner, link string, t Provisioned) *offer {
	number := s.catalog.lastOffer + 1
	return &offer{number: number, rid: offerRID(number), owner: owner, link: link, Provisioned: t, highest: t.rate(),
		etag: s.random.GUID().ETag(), ts: s.now().Unix()}
}

// addOffer enters an offer, in place of the one that its resource had.
func (c *catalog) addOffer(o *offer) {
	c.offers[o.owner] = o
	c.lastOffer = max(c.lastOffer, o.number)
}

// offerOf is the offer of a database or container, by its resource id; nil where it has none of its own.
func (c *catalog) offerOf(owner string) *offer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.offers[owner]
}

// offer is the offer of a resource id of its own. SDKs write it in lower case too, so where none has it exactly, the only one
// that has it so is meant.
func (c *catalog) offer(rid string) *offer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var folded []*offer
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

// allOffers are all offers, in the order in which their resources were made.
func (c *catalog) allOffers() []*offer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []*offer
	for _, o := range c.offers {
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b *offer) int { return int(a.number) - int(b.number) })
	return all
}
