package notification

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

// The queries of device_tokens (NT-D4: the document's, with SELECT * FROM c).
const (
	// queryActive also finds documents without revokedAt, which revokedAt = null alone does not match (NT-D2).
	queryActive  = "SELECT * FROM c WHERE c.userId = @userId AND (c.revokedAt = null OR NOT IS_DEFINED(c.revokedAt)) ORDER BY c.lastSeenAt DESC"
	queryDevice  = "SELECT * FROM c WHERE c.userId = @userId AND c.deviceId = @deviceId"
	queryRevoked = "SELECT * FROM c WHERE c.revokedAt < @before"
)

// activeDevices is NT-P10; the devices seen last come first.
func (s *store) activeDevices(ctx context.Context, user UserID) ([]stored[Device], error) {
	return cosmosdb.QueryAll[stored[Device]](ctx, s.devices, cosmosdb.Query{
		PartitionKey: string(user), Text: queryActive, Parameters: map[string]any{"@userId": user},
	}, 0)
}

// devicesByID is the query of NT-P11: all documents of a device, including revoked ones.
func (s *store) devicesByID(ctx context.Context, user UserID, device DeviceID) ([]stored[Device], error) {
	return cosmosdb.QueryAll[stored[Device]](ctx, s.devices, cosmosdb.Query{
		PartitionKey: string(user), Text: queryDevice, Parameters: map[string]any{"@userId": user, "@deviceId": device},
	}, 0)
}

// saveDevice replaces the device with this ETag. It returns false when the device has changed.
func (s *store) saveDevice(ctx context.Context, d Device, etag azcore.ETag) (bool, error) {
	_, err := s.devices.Replace(ctx, string(d.UserID), string(d.ID), d, etag)
	return succeeded(err, cosmosdb.ErrChanged, cosmosdb.ErrNotFound)
}

// register is the write of NT-P12: a new device and the revocation of those that it replaces, in one batch with the
// user's guard. It returns false, and writes nothing, when another registration came in between.
func (s *store) register(ctx context.Context, d Device, revoked []stored[Device], g guard,
	etag azcore.ETag) (bool, error) {
	g.RevokedAt = string(guardID)
	err := s.devices.Batch(ctx, string(d.UserID), func(b *azcosmos.TransactionalBatch) {
		addGuard(b, g, etag)
		for _, r := range revoked {
			b.ReplaceItem(string(r.value.ID), jsonOf(r.value), &azcosmos.TransactionalBatchItemOptions{IfMatchETag: &r.etag})
		}
		b.CreateItem(jsonOf(d), nil)
	})
	return succeeded(err, cosmosdb.ErrChanged, cosmosdb.ErrNotFound, cosmosdb.ErrExists)
}

// revoked reads the devices of all users that were revoked before a time, page by page, across partitions.
func (s *store) revoked(ctx context.Context, before Moment, page func([]stored[Device]) (bool, error)) error {
	return cosmosdb.QueryPages(ctx, s.devices, cosmosdb.Query{Text: queryRevoked,
		Parameters: map[string]any{"@before": before},
		PageSize:   100}, page)
}

// removeDevice deletes a device if it still has this ETag. It returns false when the device has changed or is gone.
func (s *store) removeDevice(ctx context.Context, d stored[Device]) (bool, error) {
	return succeeded(s.devices.Delete(ctx, string(d.value.UserID), string(d.value.ID), d.etag), cosmosdb.ErrChanged,
		cosmosdb.ErrNotFound)
}
