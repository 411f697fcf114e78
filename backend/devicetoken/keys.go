package devicetoken

import "github.com/tabletop-db/tabletop/backend/internal/ddb"

// keyOf returns the key of a user's device.
func keyOf(u UserID, id DeviceID) ddb.Item {
	return ddb.Item{"userId": ddb.Str(u), "deviceId": ddb.Str(id)}
}

// attributeActiveAt is the time since which a device has been active. Only active devices have it, and only with
// Config.ActiveIndex.
//
// The document plans an index by platform and isActive for later. DynamoDB rejects such a key, because Boolean is not a
// key type. The decision (PE-D1) is an index by platform and activeAt. A device without activeAt is not in the index,
// so it contains exactly the active devices, ordered by time. An operator who needs broadcasts runs the migration:
// activeindex.yaml adds the index, and Config.ActiveIndex makes the service write the attribute. A device gets the
// attribute at its next launch. Because a device that is not refreshed for 90 days expires, the index is complete after
// 90 days at the latest.
const attributeActiveAt = "activeAt"
