package cosmosdb

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Meter sums request units. It is safe for concurrent use.
type Meter struct {
	hundredths atomic.Int64 // the precision of the responses, so that sums are exact
}

// RU returns the request units consumed so far.
func (m *Meter) RU() float64 { return float64(m.hundredths.Load()) / 100 }

// unitOfWork is the state of a unit of work: its meters, and its session in each partition.
type unitOfWork struct {
	meters   []*Meter
	sessions *sessions
}

// sessions holds the newest session token of each container and partition key. azcosmos keeps none, so without them a
// read might miss what the same work has just written, or what an earlier read of it has seen.
type sessions struct {
	mu     sync.Mutex
	tokens map[[2]string]string
}

type unitOfWorkKey struct{}

// Begin starts a unit of work: all requests under the returned context share one session in each partition, and the
// meter counts what they cost. Nested work shares the session of the outer work and counts in both meters.
func Begin(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{}
	outer, _ := ctx.Value(unitOfWorkKey{}).(unitOfWork)
	inner := unitOfWork{meters: append(outer.meters[:len(outer.meters):len(outer.meters)], m), sessions: outer.sessions}
	if inner.sessions == nil {
		inner.sessions = &sessions{tokens: map[[2]string]string{}}
	}
	return context.WithValue(ctx, unitOfWorkKey{}, inner), m
}

// session returns the session token that a read of a partition must honor; nil when any replica will do.
func (c *Container) session(ctx context.Context, key string) *string {
	work, _ := ctx.Value(unitOfWorkKey{}).(unitOfWork)
	if work.sessions == nil || key == "" {
		return nil
	}
	work.sessions.mu.Lock()
	defer work.sessions.mu.Unlock()
	if token, ok := work.sessions.tokens[[2]string{c.client.ID(), key}]; ok {
		return &token
	}
	return nil
}

// recordResponse records the charge and the session token of a response; an error response may carry both too.
func (c *Container) recordResponse(ctx context.Context, key string, out azcosmos.Response, err error) {
	work, _ := ctx.Value(unitOfWorkKey{}).(unitOfWork)
	var respErr *azcore.ResponseError
	switch {
	case err == nil:
		work.charge(float64(out.RequestCharge))
		work.recordSession(c.client.ID(), key, out.RawResponse)
	case errors.As(err, &respErr) && respErr.RawResponse != nil:
		if ru, err := strconv.ParseFloat(respErr.RawResponse.Header.Get("x-ms-request-charge"), 64); err == nil && ru >= 0 {
			work.charge(ru)
		}
		work.recordSession(c.client.ID(), key, respErr.RawResponse)
	}
}

func (p unitOfWork) charge(ru float64) {
	for _, m := range p.meters {
		m.hundredths.Add(int64(math.Round(ru * 100)))
	}
}

func (p unitOfWork) recordSession(container, key string, response *http.Response) {
	if p.sessions == nil || key == "" || response == nil {
		return
	}
	if token := response.Header.Get("x-ms-session-token"); token != "" {
		p.sessions.mu.Lock()
		defer p.sessions.mu.Unlock()
		p.sessions.tokens[[2]string{container, key}] = token
	}
}
