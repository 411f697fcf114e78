package pushgateway

import (
	"slices"
	"strings"
	"time"
)

// Refusal is a notification that a service refused, or could not deliver.
type Refusal struct {
	Phone   string    `json:"phone,omitempty"` // the phone's id; empty: the service does not know the token
	Service string    `json:"service"`
	Token   string    `json:"token,omitempty"` // the token that it was sent to; empty: the whole request was refused
	Code    string    `json:"code"`            // the service's error code
	At      time.Time `json:"at"`
}

const (
	maxRefusals = 1000 // that a gateway keeps, the latest
	maxToken    = 256  // bytes of a token that a refusal keeps; no valid one is longer
)

// phoneCounts counts what a phone received.
type phoneCounts struct {
	delivered, refused int64
	last               time.Time // of the last delivery
}

// refuse records that a service refused a notification. REQUIRES: g.mu is held.
func (g *Gateway) refuse(service, token, code string) {
	r := Refusal{Service: service, Token: strings.Clone(token[:min(len(token), maxToken)]), Code: code, At: g.now()}
	if known := g.tokens[token]; known != nil {
		r.Phone = known.phone.ID
		g.countsOf(r.Phone).refused++
	}
	if len(g.refusals) == maxRefusals {
		g.refusals = slices.Delete(g.refusals, 0, 1)
	}
	g.refusals = append(g.refusals, r)
}

// countsOf returns the counts of a phone. REQUIRES: g.mu is held.
func (g *Gateway) countsOf(phone string) *phoneCounts {
	if g.counts[phone] == nil {
		g.counts[phone] = &phoneCounts{}
	}
	return g.counts[phone]
}

// Summary is what a phone received.
type Summary struct {
	Phone
	Delivered int64      `json:"delivered"`
	Refused   int64      `json:"refused"`
	Last      *time.Time `json:"last,omitempty"` // time of the last delivery; nil: none
}

// Summaries returns all phones with what they received, those of the latest deliveries first.
func (g *Gateway) Summaries() []Summary {
	phones := g.Phones()
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make([]Summary, len(phones))
	for i, p := range phones {
		c := g.countsOf(p.ID)
		all[i] = Summary{Phone: p, Delivered: c.delivered, Refused: c.refused}
		if c.delivered > 0 {
			all[i].Last = new(c.last)
		}
	}
	slices.SortStableFunc(all, func(a, b Summary) int {
		switch {
		case a.Last == nil && b.Last == nil:
			return 0
		case a.Last == nil:
			return 1
		case b.Last == nil:
			return -1
		}
		return b.Last.Compare(*a.Last)
	})
	return all
}

// Latest returns the last deliveries and refusals of a phone, or of all if phone is empty, newest first, at most limit
// of each.
func (g *Gateway) Latest(phone string, limit int) (deliveries []Delivery, refusals []Refusal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, d := range slices.Backward(g.deliveries) {
		if len(deliveries) < limit && (phone == "" || d.Phone == phone) {
			deliveries = append(deliveries, d)
		}
	}
	for _, r := range slices.Backward(g.refusals) {
		if len(refusals) < limit && (phone == "" || r.Phone == phone) {
			refusals = append(refusals, r)
		}
	}
	return deliveries, refusals
}
