package pushgateway

import (
	"encoding/json"
	"time"
)

// Delivery is a notification that arrived at a phone.
type Delivery struct {
	Number  int64           `json:"number"` // in the order of arrival, from 1
	Phone   string          `json:"phone"`  // its id
	Service string          `json:"service"`
	Token   string          `json:"token"` // that it was sent to
	ID      string          `json:"id"`    // that its sender was told: ticket, name or apns-id
	Title   string          `json:"title,omitempty"`
	Body    string          `json:"body,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
	At      time.Time       `json:"at"`
}

// What a gateway remembers at least, whichever is less; it forgets when it has twice as much. One that runs for months
// does not fill the memory.
const (
	keep      = 1_000_000 // deliveries
	keepBytes = 512 << 20 // of them, as size counts
)

// size is about how many bytes of memory a delivery takes.
func (d *Delivery) size() int {
	return 256 + len(d.Token) + len(d.ID) + len(d.Title) + len(d.Body) + len(d.Data)
}

// Deliveries are the notifications after number, in the order of their arrival, at most limit; all when limit is 0. The
// gateway remembers the last million, or as many as have 512 MiB.
func (g *Gateway) Deliveries(number int64, limit int) []Delivery {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := g.deliveries[min(max(0, number-g.forgotten), int64(len(g.deliveries))):]
	if limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	return append([]Delivery{}, all...)
}

// deliver notes that a notification arrived. REQUIRES: g.mu is held.
func (g *Gateway) deliver(d Delivery) {
	if len(g.deliveries) >= 2*keep || g.bytes >= 2*keepBytes {
		g.forget()
	}
	d.Number, d.At = g.forgotten+int64(len(g.deliveries))+1, g.now()
	g.deliveries = append(g.deliveries, d)
	g.bytes += d.size()
}

// forget drops the oldest deliveries, down to what is kept at least. REQUIRES: g.mu is held.
func (g *Gateway) forget() {
	n := 0
	for ; len(g.deliveries)-n > keep || g.bytes > keepBytes; n++ {
		g.bytes -= g.deliveries[n].size()
	}
	g.deliveries = append([]Delivery(nil), g.deliveries[n:]...)
	g.forgotten += int64(n)
}

// window counts what a limit allows in each second or minute.
type window struct {
	began time.Time
	used  int
}

// allow takes n of what a limit has for this span of time, or nothing and says when the next one begins. REQUIRES: g.mu
// is held.
func (g *Gateway) allow(limit string, n, most int, span time.Duration) (until time.Time, ok bool) {
	w := g.limits[limit]
	if w == nil {
		if len(g.limits) >= keep { // those of a device are over after a minute
			clear(g.limits)
		}
		w = &window{}
		g.limits[limit] = w
	}
	if began := g.now().Truncate(span); !began.Equal(w.began) {
		*w = window{began: began}
	}
	if w.used+n > most {
		return w.began.Add(span), false
	}
	w.used += n
	return time.Time{}, true
}
