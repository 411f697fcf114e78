package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tabletop-db/tabletop/internal/model/difference"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// Special rates.
const (
	Max      = 0.0  // each request as soon as the previous one is answered
	Original = -1.0 // with the recorded intervals
)

// maxGap is the longest pause between requests at the rate Original.
const maxGap = 10 * time.Second

// Config configures a replay.
type Config struct {
	DynamoDB *aws.Config // endpoint, region, credentials; nil: the target has no DynamoDB
	Cosmos   *Account    // nil: the target has no Cosmos DB
	Workers  int         // concurrent requests; 0 means 1. With more than one, the order may differ from the recording's
	Rate     float64     // requests a second, or Max or Original
	Only     []string    // operations to send; empty: all
	Capacity bool        // whether to compare consumed capacity
	// Clock, if not nil, moves the target's clock to the time of the next request. It is never called concurrently.
	Clock func(to time.Time) error
	// Differs is called for each request whose response differs, never concurrently.
	Differs func(Result)
	// Progress, if not nil, is called after each request, never concurrently.
	Progress func(Summary)
}

// Result is the comparison of one request's responses.
type Result struct {
	N           int64                   `json:"n"` // as recorded
	Operation   string                  `json:"operation"`
	Differences []difference.Difference `json:"differences"`
}

// Summary counts a replay.
type Summary struct {
	Sent      int           `json:"sent"`
	Same      int           `json:"same"`
	Different int           `json:"different"`
	Skipped   int           `json:"skipped"` // not in Only, of an unknown operation, or not signed with a key
	Missing   int           `json:"missing"` // to a database that the target does not have
	Elapsed   time.Duration `json:"elapsedNanoseconds"`
}

// player is a replay in progress.
type player struct {
	Config
	sender    *sender       // nil without DynamoDB
	cosmos    *cosmosSender // nil without Cosmos DB
	generated generatedValues

	clock sync.Mutex // held during a call of Clock: two workers that see the same time must not both advance it

	mu  sync.Mutex // guards sum and calls of Differs
	sum Summary
}

// Run replays the rest of a recording. The error states why it ended early: an invalid line, a target that does not
// answer, or a context that is done. The summary counts what was sent until then.
func Run(ctx context.Context, in *recording.Reader, c Config) (Summary, error) {
	c.Workers = max(c.Workers, 1)
	p := &player{Config: c}
	var err error
	if c.DynamoDB != nil {
		if p.sender, err = newSender(ctx, *c.DynamoDB, c.Workers); err != nil {
			return Summary{}, err
		}
	}
	if c.Cosmos != nil {
		if p.cosmos, err = newCosmosSender(c.Cosmos); err != nil {
			return Summary{}, err
		}
	}
	began := time.Now()
	err = p.run(ctx, in)
	p.sum.Elapsed = time.Since(began)
	return p.sum, err
}

func (p *player) run(ctx context.Context, in *recording.Reader) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	entries := make(chan *recording.Entry)
	var workers sync.WaitGroup
	for range p.Workers {
		workers.Go(func() {
			for e := range entries {
				if err := p.play(ctx, e); err != nil {
					cancel(fmt.Errorf("request %d, %s: %w", e.N, e.Operation, err))
				}
			}
		})
	}
	err := p.feed(ctx, in, entries)
	close(entries)
	workers.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// feed sends the entries to the workers at their time.
func (p *player) feed(ctx context.Context, in *recording.Reader, entries chan<- *recording.Entry) error {
	pace := pacer{rate: p.Rate}
	for {
		e, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if p.skips(e) {
			continue
		}
		if err := pace.wait(ctx, e.Time); err != nil {
			return err
		}
		select {
		case entries <- e:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// skips reports whether a request is not sent, and counts it then.
func (p *player) skips(e *recording.Entry) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case e.Operation == "" || !signed(e) || len(p.Only) > 0 && !slices.Contains(p.Only, e.Operation):
		p.sum.Skipped++
	case e.Service == recording.Cosmos && p.cosmos == nil, e.Service != recording.Cosmos && p.sender == nil:
		p.sum.Missing++
	default:
		return false
	}
	return true
}

// signed reports whether a request was signed correctly with a key. Others are not replayed, because the replay signs
// correctly, and with a key: not those to Cosmos DB with a resource token.
func signed(e *recording.Entry) bool {
	if e.Service == recording.Cosmos {
		return e.Principal != "" && !strings.HasPrefix(e.Principal, "resource token")
	}
	return !aboutSignature(e.Error)
}

// aboutSignature reports whether an error is about the request's signature.
func aboutSignature(name string) bool {
	switch name {
	case "ExpiredTokenException", "IncompleteSignatureException", "InvalidSignatureException",
		"MissingAuthenticationTokenException",
		"UnrecognizedClientException":
		return true
	}
	return false
}

// play sends one request and compares the response.
func (p *player) play(ctx context.Context, e *recording.Entry) error {
	if err := p.moveClock(e.Time); err != nil {
		return err
	}
	got, err := p.send(ctx, e)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op
		}
		return fmt.Errorf("the target does not respond: %w", err)
	}
	if got.status == 200 && changesTables(e.Operation) {
		if err := p.sender.waitForTable(ctx, p.generated.translate(e.Body())); err != nil {
			return err
		}
	}
	p.count(Result{e.N, e.Operation, p.compare(e, got)})
	return nil
}

func (p *player) moveClock(to time.Time) error {
	if p.Clock == nil {
		return nil
	}
	p.clock.Lock()
	defer p.clock.Unlock()
	return p.Clock(to)
}

// send sends one request to its database.
func (p *player) send(ctx context.Context, e *recording.Entry) (response, error) {
	if e.Service == recording.Cosmos {
		return p.cosmos.send(ctx, e, &p.generated)
	}
	return p.sender.send(ctx, e.Operation, p.generated.translate(e.Body()))
}

// compare compares a response with the recorded one.
func (p *player) compare(e *recording.Entry, got response) []difference.Difference {
	c := difference.Comparison{Operation: e.Operation, Documents: e.Service == recording.Cosmos, Capacity: p.Capacity,
		Learn: p.generated.learn}
	if e.Status != got.status {
		c.Add("status", fmt.Sprint(e.Status), fmt.Sprint(got.status))
	}
	if e.Error != got.err {
		c.Add("error", e.Error, got.err)
	}
	if e.Error == got.err {
		c.Bodies(e.Answer, got.body)
	}
	if c.Documents {
		p.compareHeaders(&c, e, got.header)
	}
	return c.Found
}

// compareHeaders compares the substatus, whether there is a next page, and the request units if capacity is compared.
func (p *player) compareHeaders(c *difference.Comparison, e *recording.Entry, got http.Header) {
	const name = "x-ms-continuation"
	if recorded, answered := e.AnswerHeaders[name], got.Get(name); (recorded == "") != (answered == "") {
		c.Add(name, recorded, answered)
	}
	if e.Substatus != 0 || got.Get("x-ms-substatus") != "" {
		if recorded := strconv.Itoa(e.Substatus); recorded != got.Get("x-ms-substatus") {
			c.Add("x-ms-substatus", recorded, got.Get("x-ms-substatus"))
		}
	}
	units := 0.0
	for _, consumed := range e.Consumed {
		units += consumed.Units
	}
	recorded, answered := strconv.FormatFloat(units, 'f', 2, 64), got.Get("x-ms-request-charge")
	if p.Capacity && recorded != answered {
		c.Add("x-ms-request-charge", recorded, answered)
	}
}

func (p *player) count(r Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum.Sent++
	switch {
	case len(r.Differences) == 0:
		p.sum.Same++
	default:
		p.sum.Different++
		if p.Differs != nil {
			p.Differs(r)
		}
	}
	if p.Progress != nil {
		p.Progress(p.sum)
	}
}

// pacer spreads requests over time.
type pacer struct {
	rate  float64
	began time.Time
	n     float64
	last  time.Time // recorded
	due   time.Duration
}

// wait waits until the next request is due, which was recorded at that time.
func (p *pacer) wait(ctx context.Context, recorded time.Time) error {
	switch {
	case p.began.IsZero():
		p.began = time.Now()
	case p.rate == Original:
		p.due += min(max(recorded.Sub(p.last), 0), maxGap)
	case p.rate > 0:
		p.n++
		p.due = time.Duration(p.n / p.rate * float64(time.Second))
	}
	p.last = recorded
	pause := p.due - time.Since(p.began)
	if pause <= 0 {
		return ctx.Err()
	}
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
