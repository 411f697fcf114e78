package pushgateway

import (
	"encoding/json"
	"time"
)

// Delivery is a notification that arrived at a phone.
type Delivery struct {
	Number  int64           `json:"number"` // in order of arrival, from 1
	Phone   string          `json:"phone"`  // the phone's id
	Service string          `json:"service"`
	Token   string          `json:"token"` // the token that it was sent to
	ID      string          `json:"id"`    // the id that its sender got: ticket, name or apns-id
	Title   string          `json:"title,omitempty"`
	Body    string          `json:"body,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
	At      time.Time       `json:"at"`
}

// The minimum history that a gateway keeps, whichever limit is reached first; it discards old deliveries when it has
// twice as much, so that a gateway that runs for months does not exhaust memory.
const (
	minHistory      = 1_000_000 // deliveries
	minHistoryBytes = 512 << 20 // bytes of deliveries, as returned by size
)

// size returns about how many bytes of memory a delivery takes.
func (d *Delivery) size() int {
	return 256 + len(d.Token) + len(d.ID) + len(d.Title) + len(d.Body) + len(d.Data)
}

// Deliveries returns the notifications after number, in order of arrival, at most limit; all when limit is 0. The
// gateway keeps at least the last million, or as many as fit into 512 MiB.
func (g *Gateway) Deliveries(number int64, limit int) []Delivery {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := g.deliveries[min(max(0, number-g.discarded), int64(len(g.deliveries))):]
	if limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	return append([]Delivery{}, all...)
}

// deliver records that a notification arrived. REQUIRES: g.mu is held.
func (g *Gateway) deliver(d Delivery) {
	if len(g.deliveries) >= 2*minHistory || g.bytes >= 2*minHistoryBytes {
		g.pruneDeliveries()
	}
	d.Number, d.At = g.discarded+int64(len(g.deliveries))+1, g.now()
	g.deliveries = append(g.deliveries, d)
	c := g.countsOf(d.Phone)
	c.delivered, c.last = c.delivered+1, d.At
	g.bytes += d.size()
}

// pruneDeliveries discards the oldest deliveries, down to the minimum history. REQUIRES: g.mu is held.
func (g *Gateway) pruneDeliveries() {
	n := 0
	for ; len(g.deliveries)-n > minHistory || g.bytes > minHistoryBytes; n++ {
		g.bytes -= g.deliveries[n].size()
	}
	g.deliveries = append([]Delivery(nil), g.deliveries[n:]...)
	g.discarded += int64(n)
}

// limitWindow counts the use of a limit in the current second or minute.
type limitWindow struct {
	began time.Time
	used  int
}

// allow consumes n units of a limit in the current window. If they exceed it, allow consumes nothing and returns when
// the next window starts. REQUIRES: g.mu is held.
func (g *Gateway) allow(limit string, n, limitValue int, span time.Duration) (until time.Time, ok bool) {
	w := g.limits[limit]
	if w == nil {
		if len(g.limits) >= minHistory { // limits of devices expire after a minute
			clear(g.limits)
		}
		w = &limitWindow{}
		g.limits[limit] = w
	}
	if began := g.now().Truncate(span); !began.Equal(w.began) {
		*w = limitWindow{began: began}
	}
	if w.used+n > limitValue {
		return w.began.Add(span), false
	}
	w.used += n
	return time.Time{}, true
}
