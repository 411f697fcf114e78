package kefir

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// How the types of model.go and items become each other. An attribute that is unset is absent from the item, and one that
// an older item lacks is unset in the type (KF-R7).

func userItem(u User, set *Preferences) ddb.Item {
	out := userKey(u.UserID)
	out["userId"], out["email"] = ddb.Str(u.UserID), ddb.Str(u.Email)
	out["createdAt"], out["updatedAt"] = ddb.Str(u.CreatedAt), ddb.Str(u.UpdatedAt)
	text(out, "name", u.Name)
	if set != nil {
		out["preferences"] = preferencesValue(*set)
	}
	return out
}

func userOf(in ddb.Item) User {
	u := User{
		UserID: ddb.Text(in["userId"]), Email: ddb.Text(in["email"]), Name: ddb.Text(in["name"]), Preferences: defaults(),
		CreatedAt: Timestamp(ddb.Text(in["createdAt"])), UpdatedAt: Timestamp(ddb.Text(in["updatedAt"])),
	}
	set := ddb.Members(in["preferences"])
	if v, ok := set["notificationsEnabled"]; ok {
		u.Preferences.NotificationsEnabled = ddb.Boolean(v)
	}
	if v, ok := set["defaultTemperatureC"]; ok {
		u.Preferences.DefaultTemperatureC = decimalOf(v)
	}
	return u
}

func preferencesValue(p Preferences) types.AttributeValue {
	return ddb.Object(ddb.Item{
		"notificationsEnabled": ddb.Bool(p.NotificationsEnabled), "defaultTemperatureC": decimal(p.DefaultTemperatureC),
	})
}

func batchItem(b Batch) ddb.Item {
	out := statusKeys(b)
	out["PK"], out["SK"] = ddb.Str(userPK(b.UserID)), ddb.Str(batchSK(b.BatchID))
	out["batchId"], out["userId"], out["name"] = ddb.Str(b.BatchID), ddb.Str(b.UserID), ddb.Str(b.Name)
	out["stage"], out["status"] = ddb.Number(b.Stage), ddb.Str(b.Status)
	out["waterVolumeMl"], out["sugarGrams"] = ddb.Number(b.WaterVolumeMl), decimal(b.SugarGrams)
	out["temperatureC"], out["startTime"] = decimal(b.TemperatureC), ddb.Str(b.StartTime)
	out["targetHoursStage1"] = decimal(b.TargetHoursStage1)
	out["createdAt"], out["updatedAt"] = ddb.Str(b.CreatedAt), ddb.Str(b.UpdatedAt)
	text(out, "fruits", b.Fruits)
	text(out, "startTimeStage2", b.StartTimeStage2)
	text(out, "archivedAt", b.ArchivedAt)
	text(out, "publicNote", b.PublicNote)
	if b.Stage == 2 {
		out["bottleCount"], out["bottleVolumeMl"] = ddb.Number(b.BottleCount), ddb.Number(b.BottleVolumeMl)
		out["targetHoursStage2"] = decimal(b.TargetHoursStage2)
	}
	if b.TemperatureCStage2 != nil {
		out["temperatureCStage2"] = decimal(*b.TemperatureCStage2)
	}
	if b.IsPublic {
		out["isPublic"] = ddb.Bool(true)
	}
	return out
}

func batchOf(in ddb.Item) Batch {
	b := Batch{
		BatchID: ID(ddb.Text(in["batchId"])), UserID: ddb.Text(in["userId"]), Name: ddb.Text(in["name"]),
		Stage: int(ddb.Integer(in["stage"])), Status: Status(ddb.Text(in["status"])),
		WaterVolumeMl: int(ddb.Integer(in["waterVolumeMl"])), SugarGrams: decimalOf(in["sugarGrams"]),
		Fruits: ddb.Text(in["fruits"]), TemperatureC: decimalOf(in["temperatureC"]),
		StartTime: Timestamp(ddb.Text(in["startTime"])), TargetHoursStage1: decimalOf(in["targetHoursStage1"]),
		BottleCount: int(ddb.Integer(in["bottleCount"])), BottleVolumeMl: int(ddb.Integer(in["bottleVolumeMl"])),
		StartTimeStage2:   Timestamp(ddb.Text(in["startTimeStage2"])),
		TargetHoursStage2: decimalOf(in["targetHoursStage2"]),
		CreatedAt:         Timestamp(ddb.Text(in["createdAt"])), UpdatedAt: Timestamp(ddb.Text(in["updatedAt"])),
		ArchivedAt: Timestamp(ddb.Text(in["archivedAt"])),
		IsPublic:   ddb.Boolean(in["isPublic"]), PublicNote: ddb.Text(in["publicNote"]),
	}
	if v, ok := in["temperatureCStage2"]; ok {
		t := decimalOf(v)
		b.TemperatureCStage2 = &t
	}
	return b
}

func eventItem(e Event) ddb.Item {
	out := key(batchPK(e.BatchID), eventSK(e.CreatedAt, e.EventID))
	out["eventId"], out["batchId"] = ddb.Str(e.EventID), ddb.Str(e.BatchID)
	out["type"], out["createdAt"] = ddb.Str(e.Type), ddb.Str(e.CreatedAt)
	text(out, "photoUrl", e.PhotoURL)
	text(out, "photoKey", e.PhotoKey)
	text(out, "note", e.Note)
	text(out, "fromStatus", e.FromStatus)
	text(out, "toStatus", e.ToStatus)
	if e.ToStage != 0 {
		out["fromStage"], out["toStage"] = ddb.Number(e.FromStage), ddb.Number(e.ToStage)
	}
	return out
}

func eventOf(in ddb.Item) Event {
	return Event{
		EventID: ID(ddb.Text(in["eventId"])), BatchID: ID(ddb.Text(in["batchId"])), Type: EventType(ddb.Text(in["type"])),
		PhotoURL: ddb.Text(in["photoUrl"]), PhotoKey: ddb.Text(in["photoKey"]), Note: ddb.Text(in["note"]),
		FromStage: int(ddb.Integer(in["fromStage"])), ToStage: int(ddb.Integer(in["toStage"])),
		FromStatus: Status(ddb.Text(in["fromStatus"])), ToStatus: Status(ddb.Text(in["toStatus"])),
		CreatedAt: Moment(ddb.Text(in["createdAt"])),
	}
}

// reminderItem has keys of the indexes only while it is pending (KF-D5).
func reminderItem(r Reminder) ddb.Item {
	out := ddb.Item{}
	if r.Status == Pending {
		out = dueKeys(r)
	}
	out["PK"], out["SK"] = ddb.Str(batchPK(r.BatchID)), ddb.Str(reminderSK(r.ReminderID))
	out["reminderId"], out["batchId"], out["userId"] = ddb.Str(r.ReminderID), ddb.Str(r.BatchID), ddb.Str(r.UserID)
	out["message"], out["dueAt"] = ddb.Str(r.Message), ddb.Str(r.DueAt)
	out["status"], out["createdAt"] = ddb.Str(r.Status), ddb.Str(r.CreatedAt)
	text(out, "schedulerArn", r.SchedulerArn)
	text(out, "sentAt", r.SentAt)
	text(out, "cancelledAt", r.CancelledAt)
	return out
}

func reminderOf(in ddb.Item) Reminder {
	return Reminder{
		ReminderID: ID(ddb.Text(in["reminderId"])), BatchID: ID(ddb.Text(in["batchId"])), UserID: ddb.Text(in["userId"]),
		Message: ddb.Text(in["message"]), DueAt: Timestamp(ddb.Text(in["dueAt"])), Status: Progress(ddb.Text(in["status"])),
		SchedulerArn: ddb.Text(in["schedulerArn"]), CreatedAt: Timestamp(ddb.Text(in["createdAt"])),
		SentAt: Timestamp(ddb.Text(in["sentAt"])), CancelledAt: Timestamp(ddb.Text(in["cancelledAt"])),
	}
}

func deviceItem(d Device) ddb.Item {
	out := deviceKey(d.UserID, d.DeviceID)
	out["deviceId"], out["userId"], out["platform"] = ddb.Str(d.DeviceID), ddb.Str(d.UserID), ddb.Str(d.Platform)
	out["pushToken"], out["createdAt"], out["lastSeenAt"] = ddb.Str(d.PushToken), ddb.Str(d.CreatedAt), ddb.Str(d.LastSeenAt)
	if d.DeviceInfo != nil {
		out["deviceInfo"] = deviceInfoValue(*d.DeviceInfo)
	}
	return out
}

func deviceOf(in ddb.Item) Device {
	d := Device{
		DeviceID: DeviceID(ddb.Text(in["deviceId"])), UserID: ddb.Text(in["userId"]), Platform: Platform(ddb.Text(in["platform"])),
		PushToken: PushToken(ddb.Text(in["pushToken"])),
		CreatedAt: Timestamp(ddb.Text(in["createdAt"])), LastSeenAt: Timestamp(ddb.Text(in["lastSeenAt"])),
	}
	if info := ddb.Members(in["deviceInfo"]); info != nil {
		d.DeviceInfo = &DeviceInfo{ddb.Text(info["model"]), ddb.Text(info["osVersion"]), ddb.Text(info["appVersion"])}
	}
	return d
}

func deviceInfoValue(info DeviceInfo) types.AttributeValue {
	out := ddb.Item{}
	text(out, "model", info.Model)
	text(out, "osVersion", info.OSVersion)
	text(out, "appVersion", info.AppVersion)
	return ddb.Object(out)
}

// text sets an attribute unless it is empty.
func text[T ~string](in ddb.Item, name string, value T) {
	if value != "" {
		in[name] = ddb.Str(value)
	}
}

func decimal(d Decimal) types.AttributeValue { return ddb.Decimal(d.String()) }

// String is the number in as few digits as it has.
func (d Decimal) String() string { return strconv.FormatFloat(float64(d), 'f', -1, 64) }

func decimalOf(v types.AttributeValue) Decimal {
	f, err := strconv.ParseFloat(ddb.Text(v), 64)
	if err != nil {
		return 0
	}
	return Decimal(f)
}
