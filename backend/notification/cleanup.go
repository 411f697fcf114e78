package notification

import (
	"context"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

// Quarter is how long a revoked device token is kept: the document has them cleaned up quarterly.
const Quarter = 90 * 24 * time.Hour

// Cleanup is what a cleanup of revoked device tokens did.
type Cleanup struct {
	Seen    int     `json:"seen"`    // revoked ones past their time
	Deleted int     `json:"deleted"` // of these
	Kept    int     `json:"kept"`    // of these: changed or gone meanwhile, or all in a dry run
	RU      float64 `json:"ru"`      // request units
}

// CleanUpDevices deletes the device tokens of all users that were revoked longer ago than keep (NT-O3), by one query
// over all partitions. Each is deleted on condition that it is as it was found. It may be ended at any moment and
// started again.
func (s *Service) CleanUpDevices(ctx context.Context, keep time.Duration, dryRun bool) (did Cleanup, err error) {
	ctx, meter := cosmosdb.Begin(ctx)
	err = s.store.revoked(ctx, moment(s.cfg.Now().Add(-keep)), func(page []stored[Device]) (bool, error) {
		for _, d := range page {
			did.Seen++
			gone := false
			if !dryRun {
				var err error
				if gone, err = s.store.removeDevice(ctx, d); err != nil {
					return false, err
				}
			}
			if gone {
				did.Deleted++
			} else {
				did.Kept++
			}
		}
		return true, ctx.Err()
	})
	did.RU = meter.RU()
	return did, err
}
