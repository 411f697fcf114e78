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

// Meter adds up request units. It is safe for concurrent use.
type Meter struct {
	hundredths atomic.Int64 // as answers tell them, so that sums are exact
}

// RU is what was consumed so far, in request units.
func (m *Meter) RU() float64 { return float64(m.hundredths.Load()) / 100 }

// piece is a piece of work: its meters, and what it has seen of each partition.
type piece struct {
	meters   []*Meter
	sessions *sessions
}

// sessions are the newest session tokens by container and partition key. azcosmos keeps none, so that by itself a read
// might not see what the same work has just written, or what another read of it has seen.
type sessions struct {
	mu     sync.Mutex
	tokens map[[2]string]string
}

type pieceKey struct{}

// Begin is ctx for a piece of work: all requests under it are one session in each partition, and a meter counts what
// they cost. Work that is a part of other work is of its session, and counts for both.
func Begin(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{}
	outer, _ := ctx.Value(pieceKey{}).(piece)
	inner := piece{meters: append(outer.meters[:len(outer.meters):len(outer.meters)], m), sessions: outer.sessions}
	if inner.sessions == nil {
		inner.sessions = &sessions{tokens: map[[2]string]string{}}
	}
	return context.WithValue(ctx, pieceKey{}, inner), m
}

// session is the token that a read of a partition has to be as new as; nil for any.
func (c *Container) session(ctx context.Context, key string) *string {
	work, _ := ctx.Value(pieceKey{}).(piece)
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

// heard notes what an answer about a partition cost, and its session; an error may have both too.
func (c *Container) heard(ctx context.Context, key string, out azcosmos.Response, err error) {
	work, _ := ctx.Value(pieceKey{}).(piece)
	var failed *azcore.ResponseError
	switch {
	case err == nil:
		work.charge(float64(out.RequestCharge))
		work.see(c.client.ID(), key, out.RawResponse)
	case errors.As(err, &failed) && failed.RawResponse != nil:
		if ru, err := strconv.ParseFloat(failed.RawResponse.Header.Get("x-ms-request-charge"), 64); err == nil && ru >= 0 {
			work.charge(ru)
		}
		work.see(c.client.ID(), key, failed.RawResponse)
	}
}

func (p piece) charge(ru float64) {
	for _, m := range p.meters {
		m.hundredths.Add(int64(math.Round(ru * 100)))
	}
}

func (p piece) see(container, key string, answer *http.Response) {
	if p.sessions == nil || key == "" || answer == nil {
		return
	}
	if token := answer.Header.Get("x-ms-session-token"); token != "" {
		p.sessions.mu.Lock()
		defer p.sessions.mu.Unlock()
		p.sessions.tokens[[2]string{container, key}] = token
	}
}
