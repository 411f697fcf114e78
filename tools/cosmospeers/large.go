package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/wire"
)

// measureLargeContainer measures the memory after writing many items of 1 KB to one partition, and the latency of their
// first page in descending order.
func (o *options) measureLargeContainer(r *report) error {
	for _, p := range o.peers() {
		if p.bare {
			continue
		}
		if err := o.measureLarge(p, r); err != nil {
			return err
		}
	}
	return nil
}

func (o *options) measureLarge(p *peer, r *report) error {
	defer p.stop()
	if err := p.start(); err != nil {
		return err
	}
	if err := p.createContainer(); err != nil {
		return err
	}
	began := time.Now()
	if err := p.fill(o.items, 1); err != nil {
		r.addError(p.name, err)
		return nil
	}
	r.addRow("filled", p.name, float64(o.items)/time.Since(began).Seconds(), "items/s")
	time.Sleep(time.Second)
	size := float64(o.items) * float64(len(item("i00000", "p0", 0)))
	memory := p.memory() / size
	r.addRow("memory by size of items", p.name, memory, "times")
	page, err := p.firstPage()
	if err != nil {
		r.addError(p.name, err)
		return nil
	}
	r.addRow("page of 20, newest first", p.name, page, "ms")
	// tabletop builds its index for the first query that can use it
	r.addRow("memory with its index", p.name, p.memory()/size, "times")
	if p.name == "tabletop" {
		r.atMost("memory by size of items", memory, 3)
		r.atMost("ms of a page of 20, newest first", page, 2)
	}
	return nil
}

// firstPage returns how long the first page of 20 of all items takes, in ms.
func (p *peer) firstPage() (float64, error) {
	c := &wire.Conn{Addr: p.addr}
	defer c.Close()
	var latencies []float64
	began := time.Now()
	for i := 0; i < 100 && time.Since(began) < 10*time.Second; i++ {
		began := time.Now()
		status, body, err := c.Do(p.queryRequest("p0", "SELECT * FROM c ORDER BY c.at DESC", "", 20))
		latencies = append(latencies, float64(time.Since(began).Microseconds())/1000)
		if err != nil || status != http.StatusOK {
			return 0, fmt.Errorf("%s: %d %.300s %w", p.name, status, body, err)
		}
	}
	return median(latencies), nil
}

// count returns the number of rows of a page.
func count(body []byte) (int, error) {
	var page struct{ Documents []json.RawMessage }
	err := json.Unmarshal(body, &page)
	return len(page.Documents), err
}
