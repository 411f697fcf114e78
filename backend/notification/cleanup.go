package notification

import (
	"context"
	"time"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

// RevokedRetention is how long a revoked device token is kept: the document requires a quarterly cleanup.
const RevokedRetention = 90 * 24 * time.Hour

// Cleanup is the result of a cleanup of revoked device tokens.
type Cleanup struct {
	Seen    int     `json:"seen"`    // revoked tokens past their retention
	Deleted int     `json:"deleted"` // of these
	Kept    int     `json:"kept"`    // of these: changed or deleted in the meantime; in a dry run, all
	RU      float64 `json:"ru"`      // request units
}

// CleanUpDevices deletes the device tokens of all users that were revoked longer ago than retention (NT-O3). It finds
// them by one cross-partition query and deletes each on condition that it is unchanged. It may be interrupted at any
// time and started again.
func (s *Service) CleanUpDevices(ctx context.Context, retention time.Duration,
	dryRun bool) (result Cleanup, err error) {
	ctx, meter := cosmosdb.Begin(ctx)
	err = s.store.revoked(ctx, moment(s.cfg.Now().Add(-retention)), func(page []stored[Device]) (bool, error) {
		for _, d := range page {
			result.Seen++
			deleted := false
			if !dryRun {
				var err error
				if deleted, err = s.store.removeDevice(ctx, d); err != nil {
					return false, err
				}
			}
			if deleted {
				result.Deleted++
			} else {
				result.Kept++
			}
		}
		return true, ctx.Err()
	})
	result.RU = meter.RU()
	return result, err
}
