package cosmosdb

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// Meter adds up request units. It is safe for concurrent use.
type Meter struct {
	mu sync.Mutex
	ru float64
}

type meterKey struct{}

// Metered is ctx with a meter for all requests that are made under it. One that was there before goes on counting.
func Metered(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{}
	meters, _ := ctx.Value(meterKey{}).([]*Meter)
	return context.WithValue(ctx, meterKey{}, append(meters[:len(meters):len(meters)], m)), m
}

// RU is what was consumed so far, in request units.
func (m *Meter) RU() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ru
}

func charge(ctx context.Context, ru float64) {
	meters, _ := ctx.Value(meterKey{}).([]*Meter)
	for _, m := range meters {
		m.mu.Lock()
		m.ru += ru
		m.mu.Unlock()
	}
}

// chargeError adds what a request cost that failed.
func chargeError(ctx context.Context, err error) {
	var answered *azcore.ResponseError
	if !errors.As(err, &answered) || answered.RawResponse == nil {
		return
	}
	if ru, err := strconv.ParseFloat(answered.RawResponse.Header.Get("x-ms-request-charge"), 64); err == nil && ru >= 0 {
		charge(ctx, ru)
	}
}
