package devicetoken

import "github.com/tabletop-db/tabletop/backend/internal/ddb"

// keyOf is the key of a user's device.
func keyOf(u UserID, id DeviceID) ddb.Item {
	return ddb.Item{"userId": ddb.Str(u), "deviceId": ddb.Str(id)}
}

// attributeActiveAt is on active devices alone, and only with Config.ActiveIndex: the time since when they are.
//
// The document keeps an index by platform and isActive in mind for later. DynamoDB takes no such key, for a Boolean is
// not one of its key types. The decision (PE-D1): an index by platform and activeAt. A device without activeAt is not
// in the index, so that the index has the active devices and no others, newest first. It is a migration that whoever
// needs broadcasts makes: activeindex.yaml adds the index, Config.ActiveIndex has the attribute written. A device gets
// it at its next launch. As one that is not refreshed for 90 days expires, the index is complete after 90 days at the
// latest.
const attributeActiveAt = "activeAt"
