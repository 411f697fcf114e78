package dbtest

import (
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

// Attempts is a retryer of the AWS SDK that does not wait, and whose number of attempts a test may change at any time:
// with one, a failure of the database reaches the service; with more, the service meets what an attempt without a
// response has done.
type Attempts struct {
	aws.Retryer
	n atomic.Int32
}

// NewAttempts returns a retryer with a number of attempts.
func NewAttempts(n int) *Attempts {
	a := &Attempts{Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
		o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
	})}
	a.Set(n)
	return a
}

// Set changes the number of attempts of later requests.
func (a *Attempts) Set(n int) { a.n.Store(int32(n)) }

// MaxAttempts implements aws.Retryer.
func (a *Attempts) MaxAttempts() int { return int(a.n.Load()) }

// Use makes clients of a configuration use the retryer.
func (a *Attempts) Use(cfg aws.Config) aws.Config {
	cfg.Retryer = func() aws.Retryer { return a }
	return cfg
}
