package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/wire"
)

const connections = 16

// filler pads an item to 1 KB of JSON.
var filler = strings.Repeat("An item of one kilobyte. ", 36)

// item returns an item of 1 KB.
func item(id, pk string, n int) string {
	number := strconv.Itoa(n)
	return `{"id":"` + id + `","pk":"` + pk + `","n":` + number + `,"at":"` + strings.Repeat("0", max(0, 24-len(number))) +
		number + `","text":"` + filler + `"}`
}

func (p *peer) createRequest(id, pk string, n int) []byte {
	return signedRequest(p.addr, "POST", "/dbs/db/colls/c/docs", p.postSignature, item(id, pk, n),
		"x-ms-documentdb-partitionkey", `["`+pk+`"]`)
}

func (p *peer) readRequest(id, pk string) []byte {
	path := "dbs/db/colls/c/docs/" + id
	return signedRequest(p.addr, "GET", "/"+path, signature("GET", "docs", path), "", "x-ms-documentdb-partitionkey",
		`["`+pk+`"]`)
}

func (p *peer) queryRequest(pk, text, continuation string, page int) []byte {
	headers := []string{"x-ms-documentdb-partitionkey", `["` + pk + `"]`, "x-ms-documentdb-isquery", "True",
		"Content-Type", "application/query+json", "x-ms-max-item-count", strconv.Itoa(page)}
	if continuation != "" {
		headers = append(headers, "x-ms-continuation", continuation)
	}
	return signedRequest(p.addr, "POST", "/dbs/db/colls/c/docs", p.postSignature, `{"query":"`+text+`","parameters":[]}`,
		headers...)
}

// fill creates n items in the given number of partitions.
func (p *peer) fill(n, partitions int) error {
	if p.bare {
		return nil
	}
	return p.forEach(n, func(c *wire.Conn, i int) error {
		status, body, err := c.Do(p.createRequest(fmt.Sprintf("i%d", i), fmt.Sprintf("p%d", i%partitions), i))
		if err == nil && status != http.StatusCreated {
			err = fmt.Errorf("%s: create %d: %s", p.name, status, body)
		}
		return err
	})
}

// forEach calls do n times, spread over all connections.
func (p *peer) forEach(n int, do func(c *wire.Conn, i int) error) error {
	var next atomic.Int64
	errs := make(chan error, connections)
	for range connections {
		go func() {
			c := &wire.Conn{Addr: p.addr}
			defer c.Close()
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					errs <- nil
					return
				}
				if err := do(c, i); err != nil {
					errs <- err
					return
				}
			}
		}()
	}
	var first error
	for range connections {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return first
}

// rate returns the number of correct responses per second within a window, and the server's CPU time per request.
func (p *peer) rate(window time.Duration, want int, request func(worker, i int) []byte) (perSecond float64,
	cpu time.Duration, err error) {
	var done atomic.Int64
	var failed atomic.Value
	var all sync.WaitGroup
	cpuBefore, began := p.cpu(), time.Now()
	for worker := range connections {
		all.Go(func() {
			c := &wire.Conn{Addr: p.addr}
			defer c.Close()
			for i := 0; time.Since(began) < window; i++ {
				status, body, err := c.Do(request(worker, i))
				if err != nil || status != want {
					failed.Store(fmt.Errorf("%s: %d %s %w", p.name, status, body, err))
					return
				}
				done.Add(1)
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	if err, ok := failed.Load().(error); ok {
		return 0, 0, err
	}
	n := done.Load()
	return float64(n) / took.Seconds(), (p.cpu() - cpuBefore) / time.Duration(max(n, 1)), nil
}
