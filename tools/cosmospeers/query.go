package main

import (
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/wire"
)

// measureQueries measures a query of one partition with 10,000 items, once on an indexed path and once on a path for
// which all items have to be read.
func (o *options) measureQueries(r *report) error {
	for _, p := range o.peers() {
		if p.bare {
			continue
		}
		if err := o.measureQuery(p, r); err != nil {
			return err
		}
	}
	return nil
}

func (o *options) measureQuery(p *peer, r *report) error {
	defer p.stop()
	if err := p.start(); err != nil {
		return err
	}
	if err := p.createContainer(); err != nil {
		return err
	}
	if err := p.fill(itemCount, 1); err != nil {
		return err
	}
	indexed, err := p.latency(200, func(i int) string {
		return fmt.Sprintf("SELECT * FROM c WHERE c.n = %d", i*37%itemCount)
	}, 1)
	if err != nil {
		return err
	}
	full, err := p.latency(5, func(i int) string {
		return fmt.Sprintf("SELECT * FROM c WHERE c.n + 0 = %d", i*37%itemCount)
	}, 1)
	if err != nil {
		r.addRow("query by an indexed path", p.name, indexed, "ms")
		r.addError(p.name, err)
		return nil
	}
	r.addRow("query by an indexed path", p.name, indexed, "ms")
	r.addRow("query that scans all items", p.name, full, "ms")
	if p.name == "tabletop" {
		r.atLeast("an indexed path relative to a full scan", full/indexed, 100)
	}
	return nil
}

// latency returns the median time of a query, in ms. All pages are read, and the query must return the given number of
// rows.
func (p *peer) latency(repetitions int, text func(i int) string, rows int) (float64, error) {
	c := &wire.Conn{Addr: p.addr}
	defer c.Close()
	var latencies []float64
	for i := range repetitions {
		began := time.Now()
		found, err := p.query(c, text(i), 100)
		if err != nil {
			return 0, err
		}
		latencies = append(latencies, float64(time.Since(began).Microseconds())/1000)
		if found != rows {
			return 0, fmt.Errorf("%s: %d rows, not %d: %s", p.name, found, rows, text(i))
		}
	}
	return median(latencies), nil
}

// query runs a query, reads all pages and returns the number of rows.
func (p *peer) query(c *wire.Conn, text string, page int) (rows int, err error) {
	for continuation := ""; ; continuation = c.Continuation {
		status, body, err := c.Do(p.queryRequest("p0", text, continuation, page))
		if err != nil || status != http.StatusOK {
			return 0, fmt.Errorf("%s: %d %s %w", p.name, status, body, err)
		}
		n, err := count(body)
		if err != nil {
			return 0, err
		}
		rows += n
		if c.Continuation == "" {
			return rows, nil
		}
	}
}
