package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// filler makes an item 1 KB long, as DynamoDB counts it, together with its key.
var filler = strings.Repeat("k3v9x0q7", 128)[:1024-len("pk0000000000owner0000data")]

// itemText returns the JSON of the item with that number.
func itemText(n int) string {
	return fmt.Sprintf(`{"pk":{"S":"%010d"},"owner":{"S":"%04d"},"data":{"S":"%s"}}`, n, n%1000, filler)
}

func getRequest(host string, n int) []byte {
	return workload.DynamoDBRequest(host, "GetItem", fmt.Sprintf(`{"TableName":"items","Key":{"pk":{"S":"%010d"}}}`, n))
}

func putRequest(host string, n int) []byte {
	return workload.DynamoDBRequest(host, "PutItem", `{"TableName":"items","Item":`+itemText(n)+`}`)
}

// below returns random numbers below n.
func below(n int) func() int { return func() int { return rand.IntN(n) } }

// above returns the numbers from n on, each once.
func above(n int) func() int {
	var next atomic.Int64
	return func() int { return n + int(next.Add(1)) - 1 }
}

func (s *emulator) createTable() error {
	return s.call("CreateTable", `{"TableName":"items","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk",`+
		`"KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]}`)
}

// call sends one request and expects success.
func (s *emulator) call(operation, body string) error {
	c := newConn(s.addr)
	defer c.Close()
	return c.expect(workload.DynamoDBRequest(s.addr, operation, body))
}

// put and deletion return a part of a BatchWriteItem that puts or deletes the item with that number.
func put(n int) string { return `{"PutRequest":{"Item":` + itemText(n) + `}}` }

func deletion(n int) string {
	return fmt.Sprintf(`{"DeleteRequest":{"Key":{"pk":{"S":"%010d"}}}}`, n)
}

// batches writes the items numbered from (inclusive) to to (exclusive), 25 per request.
func (s *emulator) batches(ctx context.Context, from, to, conns int, write func(n int) string) error {
	var next atomic.Int64
	next.Store(int64(from))
	return s.parallel(conns, func(c *conn) error {
		for {
			first := int(next.Add(25)) - 25
			if first >= to {
				return nil
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			var writes []string
			for n := first; n < min(first+25, to); n++ {
				writes = append(writes, write(n))
			}
			body := `{"RequestItems":{"items":[` + strings.Join(writes, ",") + `]}}`
			if err := c.expect(workload.DynamoDBRequest(s.addr, "BatchWriteItem", body)); err != nil {
				return err
			}
		}
	})
}

// parallel runs work on that many connections, and returns the first error.
func (s *emulator) parallel(conns int, work func(c *conn) error) error {
	errs := make(chan error, conns)
	for range conns {
		go func() {
			c := newConn(s.addr)
			defer c.Close()
			errs <- work(c)
		}()
	}
	var first error
	for range conns {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return first
}

// figures are those of one phase.
type figures struct {
	rps float64 // requests per second
	cpu float64 // the emulator's CPU time in ms per 1,000 requests
	p99 float64 // ms
}

// load sends requests for the numbered items, each connection one after the other.
func (s *emulator) load(ctx context.Context, conns int, length time.Duration,
	newRequest func(host string, n int) []byte, number func() int) (figures, error) {
	var mu sync.Mutex
	var all []time.Duration
	cpu, began := s.cpu(), time.Now()
	err := s.parallel(conns, func(c *conn) error {
		var took []time.Duration
		for time.Since(began) < length && ctx.Err() == nil {
			sent := time.Now()
			if err := c.expect(newRequest(s.addr, number())); err != nil {
				return err
			}
			took = append(took, time.Since(sent))
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, took...)
		return context.Cause(ctx)
	})
	if err != nil || len(all) == 0 {
		return figures{}, fmt.Errorf("%d requests succeeded: %w", len(all), err)
	}
	n, p99 := float64(len(all)), len(all)*99/100
	elapsed := time.Since(began).Seconds()
	slices.Sort(all)
	return figures{rps: round(n / elapsed), cpu: round((s.cpu() - cpu) / n * 1000),
		p99: round(float64(all[p99].Microseconds()) / 1000)}, nil
}
