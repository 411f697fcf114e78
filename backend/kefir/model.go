package kefir

import (
	"slices"
	"time"
)

// User is a profile as the API shows it.
type User struct {
	UserID      string      `json:"userId" dynamodbav:"userId" doc:"The subject of the bearer token" example:"ana"`
	Email       string      `json:"email" dynamodbav:"email" example:"ana@example.com"`
	Name        string      `json:"name,omitempty" dynamodbav:"name,omitempty" example:"Ana"`
	Preferences Preferences `json:"preferences" dynamodbav:"preferences" doc:"The defaults where none were set"`
	CreatedAt   Timestamp   `json:"createdAt" dynamodbav:"createdAt"`
	UpdatedAt   Timestamp   `json:"updatedAt" dynamodbav:"updatedAt"`
}

// Preferences are a user's settings.
type Preferences struct {
	NotificationsEnabled bool    `json:"notificationsEnabled" dynamodbav:"notificationsEnabled" doc:"When false, reminders are recorded as sent but not pushed"`
	DefaultTemperatureC  Decimal `json:"defaultTemperatureC" dynamodbav:"defaultTemperatureC" doc:"Default for new batches"`
}

// defaultPreferences returns the preferences of a user who has set none (KF-R11).
func defaultPreferences() Preferences {
	return Preferences{NotificationsEnabled: true, DefaultTemperatureC: 22}
}

// Batch is a batch of kefir as its owner sees it. The fields of stage 2 are absent in stage 1.
type Batch struct {
	BatchID ID     `json:"batchId" dynamodbav:"batchId"`
	UserID  string `json:"userId" dynamodbav:"userId" example:"ana"`
	Name    string `json:"name" dynamodbav:"name" example:"Ginger and lemon"`
	Stage   int    `json:"stage" dynamodbav:"stage" enum:"1,2"`
	Status  Status `json:"status" dynamodbav:"status"`

	WaterVolumeMl     int       `json:"waterVolumeMl" dynamodbav:"waterVolumeMl" example:"1000"`
	SugarGrams        Decimal   `json:"sugarGrams" dynamodbav:"sugarGrams" example:"60"`
	Fruits            string    `json:"fruits,omitempty" dynamodbav:"fruits,omitempty" example:"2 figs, half a lemon"`
	TemperatureC      Decimal   `json:"temperatureC" dynamodbav:"temperatureC"`
	StartTime         Timestamp `json:"startTime" dynamodbav:"startTime"`
	TargetHoursStage1 Decimal   `json:"targetHoursStage1" dynamodbav:"targetHoursStage1" example:"48"`

	BottleCount        int       `json:"bottleCount,omitempty" dynamodbav:"bottleCount,omitempty" example:"3"`
	BottleVolumeMl     int       `json:"bottleVolumeMl,omitempty" dynamodbav:"bottleVolumeMl,omitempty" example:"330"`
	TemperatureCStage2 *Decimal  `json:"temperatureCStage2,omitempty" dynamodbav:"temperatureCStage2,omitempty"`
	StartTimeStage2    Timestamp `json:"startTimeStage2,omitempty" dynamodbav:"startTimeStage2,omitempty"`
	TargetHoursStage2  Decimal   `json:"targetHoursStage2,omitempty" dynamodbav:"targetHoursStage2,omitempty" example:"24"`

	CreatedAt  Timestamp `json:"createdAt" dynamodbav:"createdAt"`
	UpdatedAt  Timestamp `json:"updatedAt" dynamodbav:"updatedAt"`
	ArchivedAt Timestamp `json:"archivedAt,omitempty" dynamodbav:"archivedAt,omitempty"`

	IsPublic   bool   `json:"isPublic,omitempty" dynamodbav:"isPublic,omitempty" doc:"Anyone who has the batchId may read it, without its private fields"`
	PublicNote string `json:"publicNote,omitempty" dynamodbav:"publicNote,omitempty" example:"Our best so far"`
}

// PublicBatch is the part of a public batch that everyone may read (KF-R8): how it is brewed and the note for readers,
// but neither the owner nor when it was edited or archived.
type PublicBatch struct {
	BatchID            ID        `json:"batchId"`
	Name               string    `json:"name"`
	Stage              int       `json:"stage" enum:"1,2"`
	Status             Status    `json:"status"`
	WaterVolumeMl      int       `json:"waterVolumeMl"`
	SugarGrams         Decimal   `json:"sugarGrams"`
	Fruits             string    `json:"fruits,omitempty"`
	TemperatureC       Decimal   `json:"temperatureC"`
	StartTime          Timestamp `json:"startTime"`
	TargetHoursStage1  Decimal   `json:"targetHoursStage1"`
	BottleCount        int       `json:"bottleCount,omitempty"`
	BottleVolumeMl     int       `json:"bottleVolumeMl,omitempty"`
	TemperatureCStage2 *Decimal  `json:"temperatureCStage2,omitempty"`
	StartTimeStage2    Timestamp `json:"startTimeStage2,omitempty"`
	TargetHoursStage2  Decimal   `json:"targetHoursStage2,omitempty"`
	PublicNote         string    `json:"publicNote,omitempty"`
}

// public returns the batch without its private fields.
func (b Batch) public() PublicBatch {
	return PublicBatch{
		BatchID: b.BatchID, Name: b.Name, Stage: b.Stage, Status: b.Status,
		WaterVolumeMl: b.WaterVolumeMl, SugarGrams: b.SugarGrams, Fruits: b.Fruits, TemperatureC: b.TemperatureC,
		StartTime: b.StartTime, TargetHoursStage1: b.TargetHoursStage1, BottleCount: b.BottleCount,
		BottleVolumeMl: b.BottleVolumeMl, TemperatureCStage2: b.TemperatureCStage2, StartTimeStage2: b.StartTimeStage2,
		TargetHoursStage2: b.TargetHoursStage2, PublicNote: b.PublicNote,
	}
}

// Event is an entry of a batch's timeline. Each type has its own fields (KF-R4).
type Event struct {
	EventID    ID        `json:"eventId" dynamodbav:"eventId"`
	BatchID    ID        `json:"batchId" dynamodbav:"batchId"`
	Type       EventType `json:"type" dynamodbav:"type"`
	PhotoURL   string    `json:"photoUrl,omitempty" dynamodbav:"photoUrl,omitempty" example:"https://photos.example.com/1.jpg"`
	PhotoKey   string    `json:"photoKey,omitempty" dynamodbav:"photoKey,omitempty" example:"photos/1.jpg"`
	Note       string    `json:"note,omitempty" dynamodbav:"note,omitempty" example:"Tastes of figs"`
	FromStage  int       `json:"fromStage,omitempty" dynamodbav:"fromStage,omitempty" enum:"1,2"`
	ToStage    int       `json:"toStage,omitempty" dynamodbav:"toStage,omitempty" enum:"1,2"`
	FromStatus Status    `json:"fromStatus,omitempty" dynamodbav:"fromStatus,omitempty"`
	ToStatus   Status    `json:"toStatus,omitempty" dynamodbav:"toStatus,omitempty"`
	CreatedAt  Moment    `json:"createdAt" dynamodbav:"createdAt"`
}

// Reminder is a message to a user at a given time.
type Reminder struct {
	ReminderID   ID             `json:"reminderId" dynamodbav:"reminderId"`
	BatchID      ID             `json:"batchId" dynamodbav:"batchId"`
	UserID       string         `json:"userId" dynamodbav:"userId" example:"ana"`
	Message      string         `json:"message" dynamodbav:"message" example:"Time to bottle"`
	DueAt        Timestamp      `json:"dueAt" dynamodbav:"dueAt"`
	Status       ReminderStatus `json:"status" dynamodbav:"status"`
	SchedulerArn string         `json:"schedulerArn,omitempty" dynamodbav:"schedulerArn,omitempty" doc:"ARN of an external scheduler; never set by this service"`
	CreatedAt    Timestamp      `json:"createdAt" dynamodbav:"createdAt"`
	SentAt       Timestamp      `json:"sentAt,omitempty" dynamodbav:"sentAt,omitempty"`
	CancelledAt  Timestamp      `json:"cancelledAt,omitempty" dynamodbav:"cancelledAt,omitempty"`
}

// Device is a phone or browser that receives reminders as pushes.
type Device struct {
	DeviceID   DeviceID    `json:"deviceId" dynamodbav:"deviceId"`
	UserID     string      `json:"userId" dynamodbav:"userId" example:"ana"`
	Platform   Platform    `json:"platform" dynamodbav:"platform"`
	PushToken  PushToken   `json:"pushToken" dynamodbav:"pushToken"`
	DeviceInfo *DeviceInfo `json:"deviceInfo,omitempty" dynamodbav:"deviceInfo,omitempty"`
	CreatedAt  Timestamp   `json:"createdAt" dynamodbav:"createdAt"`
	LastSeenAt Timestamp   `json:"lastSeenAt" dynamodbav:"lastSeenAt"`
}

// DeviceInfo is a device's report about itself.
type DeviceInfo struct {
	Model      string `json:"model,omitempty" dynamodbav:"model,omitempty" maxLength:"100" pattern:"^[^\\x00-\\x1f\\x7f]*$" example:"Pixel 9"`
	OSVersion  string `json:"osVersion,omitempty" dynamodbav:"osVersion,omitempty" maxLength:"100" pattern:"^[^\\x00-\\x1f\\x7f]*$" example:"16"`
	AppVersion string `json:"appVersion,omitempty" dynamodbav:"appVersion,omitempty" maxLength:"100" pattern:"^[^\\x00-\\x1f\\x7f]*$" example:"2.4.1"`
}

// Types of the API that have a format. Each declares its schema in the OpenAPI document.
type (
	// ID identifies a batch, an event or a reminder: up to 64 letters, digits, '_' and '-'. The service assigns UUIDs.
	ID string
	// DeviceID identifies a user's device; the app chooses it.
	DeviceID string
	// Status is the status of a batch (KF-R3).
	Status string
	// EventType is the type of an event.
	EventType string
	// ReminderStatus is the status of a reminder.
	ReminderStatus string
	// Platform is the platform of a device (KF-R11).
	Platform string
	// PushToken is an Expo push token: ExponentPushToken[…].
	PushToken string
	// Timestamp is RFC 3339 in UTC with Z and whole seconds, so that text order is time order.
	Timestamp string
	// Moment is RFC 3339 in UTC with Z and milliseconds, so that text order is time order.
	Moment string
	// Decimal is a number with at most two decimals.
	Decimal float64
)

// Statuses of a batch.
const (
	Active   Status = "active"
	InFridge Status = "in_fridge"
	Ready    Status = "ready"
	Archived Status = "archived"
)

// Types of events. Users create the first two, the service the others.
const (
	Photo           EventType = "photo"
	Note            EventType = "note"
	StageTransition EventType = "stage_transition"
	StatusChange    EventType = "status_change"
)

// A reminder is pending and then, once, becomes sent or cancelled (KF-R5).
const (
	Pending   ReminderStatus = "pending"
	Sent      ReminderStatus = "sent"
	Cancelled ReminderStatus = "cancelled"
)

func statuses() []string {
	return []string{string(Active), string(InFridge), string(Ready), string(Archived)}
}

const (
	timestampLayout = "2006-01-02T15:04:05Z"
	momentLayout    = "2006-01-02T15:04:05.000Z"

	patternTimestamp = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$`
	patternMoment    = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,3})?Z$`
	patternID        = `^[A-Za-z0-9_-]{1,64}$`
	patternDeviceID  = `^[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,127}$` // no leading dot: "." and ".." would change the path
	patternPushToken = `^ExponentPushToken\[[A-Za-z0-9_-]{1,128}\]$`
)

func timestamp(t time.Time) Timestamp { return Timestamp(t.UTC().Format(timestampLayout)) }

func moment(t time.Time) Moment { return Moment(t.UTC().Format(momentLayout)) }

// validID, validDeviceID, validTimestamp and validMoment are equivalent to the patterns above; they check keys in
// cursors.
func validID(s string) bool {
	return len(s) >= 1 && len(s) <= 64 && !slices.ContainsFunc([]byte(s), func(c byte) bool {
		return !isWord(c) && c != '-'
	})
}

func validDeviceID(s string) bool {
	return len(s) >= 1 && len(s) <= 128 && s[0] != '.' &&
		!slices.ContainsFunc([]byte(s), func(c byte) bool { return !isWord(c) && c != '-' && c != '.' && c != ':' })
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func validTimestamp(s string) bool {
	t, err := time.Parse(timestampLayout, s)
	return err == nil && string(timestamp(t)) == s
}
