package engine

import (
	"math"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// metaOffer is the kind of offers under partMeta; their names are numbers.
const metaOffer = keyspace.CatalogOffer

// offerRID returns the resource id of an offer: three bytes, as in the service.
func offerRID(number uint32) string {
	return wire.EncodeRID([]byte{byte(number >> 16), byte(number >> 8), byte(number)})
}

// MinThroughput returns the minimum throughput a replace may set ("Provisioned throughput in Azure Cosmos DB": the
// highest of 400 RU/s, 1 RU/s per GB, and a hundredth of the highest rate ever; for autoscale, a tenth of the highest
// maximum). The rule per GB is not applied.
func (o *Offer) MinThroughput() int {
	if o.Maximum > 0 {
		return max(throughput.MinAutoscale, RoundUp(float64(o.highestRate)*throughput.AutoscaleFloor,
			throughput.AutoscaleStep))
	}
	return max(throughput.MinManual, RoundUp(float64(o.highestRate)/100, throughput.ManualStep))
}

// RoundUp rounds up to a multiple of a step.
func RoundUp(n float64, step int) int {
	return int(math.Ceil(n/float64(step))) * step
}

// Resource returns the offer as the service returns it. Its resource is exactly the _self of the database or container:
// SDKs look it up by that.
func (o *Offer) Resource() doc.Value {
	return doc.Object(
		doc.Member{Name: "resource", Value: doc.String(o.parentLink)},
		doc.Member{Name: "offerType", Value: doc.String("Invalid")},
		doc.Member{Name: "offerResourceId", Value: doc.String(o.parentRID)},
		doc.Member{Name: "offerVersion", Value: doc.String("V2")},
		doc.Member{Name: "content", Value: o.Content(o.highestRate)},
		doc.Member{Name: "id", Value: doc.String(o.rid)},
		doc.Member{Name: "_rid", Value: doc.String(o.rid)},
		doc.Member{Name: "_self", Value: doc.String("offers/" + o.rid + "/")},
		doc.Member{Name: "_etag", Value: doc.String(o.ETag)},
		doc.Member{Name: "_ts", Value: doc.Number(float64(o.timestamp))},
	)
}

// record returns the stored form of the offer.
func (o *Offer) record() []byte {
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "owner", Value: doc.String(o.parentRID)},
		doc.Member{Name: "link", Value: doc.String(o.parentLink)},
		doc.Member{Name: "manual", Value: doc.Number(float64(o.Manual))},
		doc.Member{Name: "maximum", Value: doc.Number(float64(o.Maximum))},
		doc.Member{Name: "increment", Value: doc.Number(float64(o.Increment))},
		doc.Member{Name: "highest", Value: doc.Number(float64(o.highestRate))},
		doc.Member{Name: "etag", Value: doc.String(o.ETag)},
		doc.Member{Name: "ts", Value: doc.Number(float64(o.timestamp))},
	))
}

func parseOffer(number uint32, v doc.Value) *Offer {
	n := func(name string) int { return int(v.Field(name).Float()) }
	return &Offer{number: number, rid: offerRID(number), parentRID: v.Field("owner").Str(),
		parentLink:  v.Field("link").Str(),
		Provisioned: throughput.Provisioned{Manual: n("manual"), Maximum: n("maximum"), Increment: n("increment")},
		highestRate: n("highest"), ETag: v.Field("etag").Str(), timestamp: int64(n("ts"))}
}

// newOffer returns the offer of a resource that is being created; nil if it has no throughput of its own. The catalogue
// is being changed.
func (s *State) newOffer(parentRID, parentLink string, t throughput.Provisioned) *Offer {
	if t.Rate() == 0 {
		return nil
	}
	number := s.Catalog.lastOffer + 1
	return &Offer{number: number, rid: offerRID(number), parentRID: parentRID, parentLink: parentLink, Provisioned: t,
		highestRate: t.Rate(),
		ETag:        s.Random.GUID().ETag(), timestamp: s.Now().Unix()}
}

// store stores the offer, unless it is nil.
func (o *Offer) store(tx *store.Tx) error {
	if o == nil {
		return nil
	}
	return tx.Set(numberedMetaKey(metaOffer, o.number), o.record())
}

// addOffer adds an offer, replacing the previous one of the same resource. Nil adds nothing.
func (c *Catalog) addOffer(o *Offer) {
	if o == nil {
		return
	}
	c.offers[o.parentRID] = o
	c.lastOffer = max(c.lastOffer, o.number)
}

// ownOffer returns the offer of a database or container by its resource id; nil if it has none of its own.
func (c *Catalog) ownOffer(parentRID string) *Offer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.offers[parentRID]
}

// Offer returns the offer with a resource id. Some SDKs send resource ids in lower case: without an exact match, it
// returns the offer that matches regardless of case, if there is only one.
func (c *Catalog) Offer(rid string) *Offer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var folded []*Offer
	for _, o := range c.offers {
		if c.hides(o) {
			continue
		}
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

// Offers returns all offers in order of creation.
func (c *Catalog) Offers() []*Offer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []*Offer
	for _, o := range c.offers {
		if !c.hides(o) {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b *Offer) int { return int(a.number) - int(b.number) })
	return all
}

// containersWithOffer returns the containers that an offer applies to: one container, or those of a database that have
// no offer of their own.
func (c *Catalog) containersWithOffer(o *Offer) []*Container {
	var all []*Container
	for _, d := range c.databases {
		for _, container := range d.containers {
			if container.RID == o.parentRID || d.RID == o.parentRID && c.offers[container.RID] == nil {
				all = append(all, container)
			}
		}
	}
	return all
}

// distributeThroughput gives each partition of a container its share of the throughput. The containers that share a
// database's throughput share one budget. A container without throughput has no budget and is never throttled.
func (c *Catalog) distributeThroughput(container *Container) {
	parts := container.Partitions()
	if offer := c.offers[container.RID]; offer != nil {
		for _, p := range parts {
			p.setRate(float64(offer.Rate()) / float64(len(parts)))
		}
		return
	}
	shared := c.offers[container.Database.RID]
	if shared == nil {
		return
	}
	if container.Database.sharedBudget == nil {
		container.Database.sharedBudget = throughput.NewRateBudget(0)
	}
	container.Database.sharedBudget.SetRate(float64(shared.Rate()))
	for _, p := range parts {
		p.Budget.Store(container.Database.sharedBudget)
	}
}
