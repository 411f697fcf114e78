package devicetoken

import "github.com/tabletop-db/tabletop/backend/internal/ddb"

// record is a device as stored: with its user and with the key of the index of active devices.
type record struct {
	UserID UserID `dynamodbav:"userId"`
	Device
	ActiveAt Timestamp `dynamodbav:"activeAt,omitempty"` // attributeActiveAt
}

// deviceOf decodes a device from its item.
func deviceOf(i ddb.Item) (d Device) {
	ddb.Unmarshal(i, &d)
	return d
}
