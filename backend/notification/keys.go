package notification

// A document's key is its id in its user's partition. The partitions that belong to no user contain ~, which no token's
// subject contains.
const (
	// partitionKeyPath is the partition key of every container.
	partitionKeyPath = "/userId"

	// feedUser is the partition of the change feed ranges.
	feedUser UserID = "~change-feed"
	// nobody is a user that cannot exist.
	nobody UserID = "~nobody"
	// guardID is the id of the guard documents. All other ids of devices, events and notifications are UUIDs.
	guardID ID = "guard"
)

// rangeID returns the id of a range of the change feed.
func rangeID(least, end string) ID { return ID("range-" + least + "-" + end) }
