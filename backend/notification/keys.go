package notification

// A document's key is its id in its user's partition. The partitions that belong to no user contain ~, which no token's
// subject contains.
const (
	// partitionKeyPath is the partition key of every container.
	partitionKeyPath = "/userId"

	// feedUser is the partition of the change feed ranges.
	feedUser UserID = "~change-feed"
	// nonexistentUser is a user that cannot exist.
	nonexistentUser UserID = "~nobody"
	// guardID is the id of the guard documents. All other ids of devices, events and notifications are UUIDs.
	guardID ID = "guard"
)

// rangeID returns the id of a range of the change feed.
func rangeID(min, max string) ID { return ID("range-" + min + "-" + max) }
