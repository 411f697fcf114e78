package notification

// A document's key is its id in its user's partition. Users' partitions carry subjects of bearer tokens, which ~ is in
// none of.
const (
	// partitionKeyPath is the partition key of every container.
	partitionKeyPath = "/userId"

	// feedUser is the partition of the ranges.
	feedUser UserID = "~change-feed"
	// nobody is a user who cannot be.
	nobody UserID = "~nobody"
	// guardID is the id of the guard documents. Every other id of an event or a notification is a UUID.
	guardID ID = "guard"
)

// rangeID is the id of a range of the change feed.
func rangeID(least, end string) ID { return ID("range-" + least + "-" + end) }
