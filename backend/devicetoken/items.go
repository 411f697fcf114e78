package devicetoken

import "github.com/tabletop-db/tabletop/backend/internal/ddb"

// deviceOf reads a device from its item.
func deviceOf(i ddb.Item) Device {
	return Device{
		DeviceID: DeviceID(ddb.Text(i["deviceId"])), Platform: Platform(ddb.Text(i["platform"])),
		Token: PushToken(ddb.Text(i["expoPushToken"])), RegisteredAt: Timestamp(ddb.Text(i["registeredAt"])),
		UpdatedAt: Timestamp(ddb.Text(i["updatedAt"])), IsActive: ddb.Boolean(i["isActive"]), ExpiresAt: ddb.Integer(i["expiresAt"]),
	}
}
