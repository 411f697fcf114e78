package main

import (
	"fmt"
	"net/http"
	"time"
)

// query measures a query of one partition with 10,000 items, once on an indexed path and once on a path for which all
// items have to be read.
func (o *options) query(r *report) error {
	for _, p := range o.peers() {
		if p.bare {
			continue
		}
		if err := o.queryOf(p, r); err != nil {
			return err
		}
	}
	return nil
}

func (o *options) queryOf(p *peer, r *report) error {
	defer p.stop()
	if err := p.start(); err != nil {
		return err
	}
	if err := p.create(); err != nil {
		return err
	}
	if err := p.fill(known, 1); err != nil {
		return err
	}
	by, err := p.latency(200, func(i int) string { return fmt.Sprintf("SELECT * FROM c WHERE c.n = %d", i*37%known) }, 1)
	if err != nil {
		return err
	}
	full, err := p.latency(5, func(i int) string { return fmt.Sprintf("SELECT * FROM c WHERE c.n + 0 = %d", i*37%known) }, 1)
	if err != nil {
		r.row("query by an indexed path", p.name, by, "ms")
		r.note(p.name, err)
		return nil
	}
	r.row("query by an indexed path", p.name, by, "ms")
	r.row("query that reads all", p.name, full, "ms")
	if p.name == "tabletop" {
		r.target("an indexed path beside a full read", full/by, 100)
	}
	return nil
}

// latency returns the median time of a query, in ms. All pages are read, and the query must return the given number of
// rows.
func (p *peer) latency(times int, text func(i int) string, rows int) (float64, error) {
	c := &conn{addr: p.addr}
	defer c.close()
	var took []float64
	for i := range times {
		began := time.Now()
		found, err := p.ask(c, text(i), 100)
		if err != nil {
			return 0, err
		}
		took = append(took, float64(time.Since(began).Microseconds())/1000)
		if found != rows {
			return 0, fmt.Errorf("%s: %d rows, not %d: %s", p.name, found, rows, text(i))
		}
	}
	return median(took), nil
}

// ask runs a query, reads all pages and returns the number of rows.
func (p *peer) ask(c *conn, text string, page int) (rows int, err error) {
	for continuation := ""; ; continuation = c.next {
		status, body, err := c.do(p.queryRequest("p0", text, continuation, page))
		if err != nil || status != http.StatusOK {
			return 0, fmt.Errorf("%s: %d %s %w", p.name, status, body, err)
		}
		n, err := count(body)
		if err != nil {
			return 0, err
		}
		rows += n
		if c.next == "" {
			return rows, nil
		}
	}
}
