package kefir

import (
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// Requests and responses beyond the types of model.go.

type profileRequest struct {
	Email       string              `json:"email" format:"email" maxLength:"254" example:"ana@example.com"`
	Name        string              `json:"name,omitempty" maxLength:"100" pattern:"^[^\\x00-\\x1f\\x7f]*$" patternDescription:"no control characters" example:"Ana"`
	Preferences *preferencesRequest `json:"preferences,omitempty" doc:"Default: the default preferences"`
}

type preferencesRequest struct {
	NotificationsEnabled *bool    `json:"notificationsEnabled,omitempty" doc:"Default: true"`
	DefaultTemperatureC  *Decimal `json:"defaultTemperatureC,omitempty" minimum:"-20" maximum:"60" doc:"Default: 22"`
}

type batchRequest struct {
	Name              string    `json:"name" minLength:"1" maxLength:"100" pattern:"^[^\\x00-\\x1f\\x7f]*[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$" patternDescription:"a name without control characters" example:"Ginger and lemon"`
	WaterVolumeMl     int       `json:"waterVolumeMl" minimum:"1" maximum:"1000000" example:"1000"`
	SugarGrams        Decimal   `json:"sugarGrams" minimum:"0" maximum:"100000" example:"60"`
	Fruits            string    `json:"fruits,omitempty" maxLength:"500" pattern:"^[^\\x00-\\x1f\\x7f]*$" patternDescription:"no control characters" example:"2 figs, half a lemon"`
	TemperatureC      *Decimal  `json:"temperatureC,omitempty" minimum:"-20" maximum:"60" doc:"Default: the user's defaultTemperatureC"`
	StartTime         Timestamp `json:"startTime,omitempty" doc:"Default: now"`
	TargetHoursStage1 Decimal   `json:"targetHoursStage1" minimum:"0.5" maximum:"10000" example:"48"`
	IsPublic          bool      `json:"isPublic,omitempty" doc:"Anyone who has the batchId may read it"`
	PublicNote        string    `json:"publicNote,omitempty" maxLength:"1000" pattern:"^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$" patternDescription:"no control characters except tabs and line breaks" example:"Our best so far"`
}

// batchChange has the fields that may change at any time. An absent field stays as it is; an empty text removes an
// optional one.
type batchChange struct {
	Name               *string    `json:"name,omitempty" dynamodbav:"name,omitempty" minLength:"1" maxLength:"100" pattern:"^[^\\x00-\\x1f\\x7f]*[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$" patternDescription:"a name without control characters"`
	WaterVolumeMl      *int       `json:"waterVolumeMl,omitempty" dynamodbav:"waterVolumeMl,omitempty" minimum:"1" maximum:"1000000"`
	SugarGrams         *Decimal   `json:"sugarGrams,omitempty" dynamodbav:"sugarGrams,omitempty" minimum:"0" maximum:"100000"`
	Fruits             *string    `json:"fruits,omitempty" dynamodbav:"fruits,omitempty" maxLength:"500" pattern:"^[^\\x00-\\x1f\\x7f]*$" patternDescription:"no control characters"`
	TemperatureC       *Decimal   `json:"temperatureC,omitempty" dynamodbav:"temperatureC,omitempty" minimum:"-20" maximum:"60"`
	StartTime          *Timestamp `json:"startTime,omitempty" dynamodbav:"startTime,omitempty"`
	TargetHoursStage1  *Decimal   `json:"targetHoursStage1,omitempty" dynamodbav:"targetHoursStage1,omitempty" minimum:"0.5" maximum:"10000"`
	BottleCount        *int       `json:"bottleCount,omitempty" dynamodbav:"bottleCount,omitempty" minimum:"1" maximum:"10000" doc:"Only in stage 2, like all fields below except the last two"`
	BottleVolumeMl     *int       `json:"bottleVolumeMl,omitempty" dynamodbav:"bottleVolumeMl,omitempty" minimum:"1" maximum:"100000"`
	TemperatureCStage2 *Decimal   `json:"temperatureCStage2,omitempty" dynamodbav:"temperatureCStage2,omitempty" minimum:"-20" maximum:"60"`
	StartTimeStage2    *Timestamp `json:"startTimeStage2,omitempty" dynamodbav:"startTimeStage2,omitempty"`
	TargetHoursStage2  *Decimal   `json:"targetHoursStage2,omitempty" dynamodbav:"targetHoursStage2,omitempty" minimum:"0.5" maximum:"10000"`
	IsPublic           *bool      `json:"isPublic,omitempty" dynamodbav:"isPublic,omitempty"`
	PublicNote         *string    `json:"publicNote,omitempty" dynamodbav:"publicNote,omitempty" maxLength:"1000" pattern:"^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$" patternDescription:"no control characters except tabs and line breaks"`
}

// attributes returns the attributes to change, for a batch in this stage.
func (c batchChange) attributes(stage int) (ddb.Item, error) {
	attributes := ddb.Marshal(c)
	if len(attributes) == 0 {
		return nil, web.Invalid("body", "must have at least one field to change")
	}
	for _, name := range []string{"bottleCount", "bottleVolumeMl", "temperatureCStage2", "startTimeStage2",
		"targetHoursStage2"} {
		if attributes[name] != nil && stage != 2 {
			return nil, web.Invalid("body."+name, "requires stage 2, and the batch is in stage 1: move it with POST …/stage")
		}
	}
	return attributes, nil
}

type stageRequest struct {
	Stage              int       `json:"stage" enum:"2" doc:"A batch moves from stage 1 to stage 2, once" example:"2"`
	BottleCount        int       `json:"bottleCount" minimum:"1" maximum:"10000" example:"3"`
	BottleVolumeMl     int       `json:"bottleVolumeMl" minimum:"1" maximum:"100000" example:"330"`
	TemperatureCStage2 *Decimal  `json:"temperatureCStage2,omitempty" minimum:"-20" maximum:"60"`
	StartTimeStage2    Timestamp `json:"startTimeStage2,omitempty" doc:"Default: now"`
	TargetHoursStage2  Decimal   `json:"targetHoursStage2" minimum:"0.5" maximum:"10000" example:"24"`
}

type statusRequest struct {
	Status Status `json:"status"`
}

type eventRequest struct {
	Type     EventType `json:"type" enum:"photo,note" doc:"Only the service creates stage_transition and status_change" example:"note"`
	Note     string    `json:"note,omitempty" maxLength:"2000" pattern:"^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]*$" patternDescription:"no control characters except tabs and line breaks" doc:"Required in a note; not allowed in a photo" example:"Tastes of figs"`
	PhotoURL string    `json:"photoUrl,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https URL" doc:"Required in a photo; not allowed in a note" example:"https://photos.example.com/1.jpg"`
	PhotoKey string    `json:"photoKey,omitempty" maxLength:"1024" pattern:"^[!-~]+$" patternDescription:"printable ASCII characters" doc:"Only in a photo" example:"photos/1.jpg"`
}

// check returns an error if an event lacks a field of its type or has one of another type (KF-R4).
func (e eventRequest) check() error {
	switch {
	case e.Type == Note && e.Note == "":
		return web.Invalid("body.note", "is required in a note")
	case e.Type == Note && e.PhotoURL != "":
		return web.Invalid("body.photoUrl", "belongs to a photo, and this is a note")
	case e.Type == Note && e.PhotoKey != "":
		return web.Invalid("body.photoKey", "belongs to a photo, and this is a note")
	case e.Type == Photo && e.PhotoURL == "":
		return web.Invalid("body.photoUrl", "is required in a photo")
	case e.Type == Photo && e.Note != "":
		return web.Invalid("body.note", "belongs to a note, and this is a photo")
	}
	return nil
}

type reminderRequest struct {
	Message string    `json:"message" minLength:"1" maxLength:"500" pattern:"^[^\\x00-\\x1f\\x7f]*[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$" patternDescription:"a text without control characters" example:"Time to bottle"`
	DueAt   Timestamp `json:"dueAt"`
}

type deviceRequest struct {
	Platform   Platform    `json:"platform"`
	PushToken  PushToken   `json:"pushToken"`
	DeviceInfo *DeviceInfo `json:"deviceInfo,omitempty" doc:"Removed when omitted"`
}

type batchPath struct {
	BatchID ID `path:"batchId"`
}

// onBatchRequest is a request about a batch.
type onBatchRequest[B any] struct {
	BatchID ID `path:"batchId"`
	Body    B
}

// createRequest is a request that creates a resource.
type createRequest[B any] struct {
	idempotency.Header
	Body B
}

// createOnBatchRequest is a request that adds to a batch.
type createOnBatchRequest[B any] struct {
	idempotency.Header
	BatchID ID `path:"batchId"`
	Body    B
}

// onDeviceRequest is a request about a device.
type onDeviceRequest[B any] struct {
	DeviceID DeviceID `path:"deviceId"`
	Body     B
}

type reminderPath struct {
	BatchID    ID `path:"batchId"`
	ReminderID ID `path:"reminderId"`
}

type devicePath struct {
	DeviceID DeviceID `path:"deviceId"`
}

type pageQuery struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Maximum number of entries per page"`
	Cursor string `query:"cursor" maxLength:"4000" doc:"nextCursor of the previous page"`
}

type batchesQuery struct {
	Status Status `query:"status" doc:"Only batches with this status: a page may then have fewer entries than limit, or none, and a nextCursor"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Maximum number of entries per page"`
	Cursor string `query:"cursor" maxLength:"4000" doc:"nextCursor of the previous page"`
}

type statusQuery struct {
	Status Status `query:"status" required:"true"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Maximum number of entries per page"`
	Cursor string `query:"cursor" maxLength:"4000" doc:"nextCursor of the previous page"`
}

type eventsQuery struct {
	BatchID ID     `path:"batchId"`
	Limit   int    `query:"limit" minimum:"1" maximum:"1000" default:"20" doc:"Maximum number of entries per page"`
	Cursor  string `query:"cursor" maxLength:"4000" doc:"nextCursor of the previous page"`
	Order   string `query:"order" enum:"asc,desc" default:"asc" doc:"Oldest or newest first"`
	After   Moment `query:"after" doc:"Only events at or after this time"`
}

type remindersQuery struct {
	BatchID ID     `path:"batchId"`
	Limit   int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Maximum number of entries per page"`
	Cursor  string `query:"cursor" maxLength:"4000" doc:"nextCursor of the previous page"`
}

type upcomingQuery struct {
	Days   int    `query:"days" minimum:"1" maximum:"366" default:"7" doc:"Number of days ahead"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Maximum number of entries per page"`
	Cursor string `query:"cursor" maxLength:"4000" doc:"nextCursor of the previous page"`
}

type dueQuery struct {
	By    string `query:"by" enum:"index,scan" default:"index" doc:"The added index of hours, or the documented scan of GSI1"`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Maximum number of reminders returned; the count includes all"`
}

type batchPage struct {
	Batches    []Batch `json:"batches" nullable:"false"`
	NextCursor string  `json:"nextCursor,omitempty" doc:"Absent on the last page; the next page may be empty"`
}

type eventPage struct {
	Events     []Event `json:"events" nullable:"false"`
	NextCursor string  `json:"nextCursor,omitempty" doc:"Absent on the last page; the next page may be empty"`
}

type reminderPage struct {
	Reminders  []Reminder `json:"reminders" nullable:"false"`
	NextCursor string     `json:"nextCursor,omitempty" doc:"Absent on the last page; the next page may be empty"`
}

type devicePage struct {
	Devices    []Device `json:"devices" nullable:"false"`
	NextCursor string   `json:"nextCursor,omitempty" doc:"Absent on the last page; the next page may be empty"`
}

type timeline struct {
	Batch           Batch      `json:"batch"`
	Events          []Event    `json:"events" nullable:"false" doc:"The newest 20, newest first"`
	EventsCursor    string     `json:"eventsCursor,omitempty" doc:"For GET …/events?order=desc; absent when the list is complete"`
	Reminders       []Reminder `json:"reminders" nullable:"false"`
	RemindersCursor string     `json:"remindersCursor,omitempty" doc:"For GET …/reminders; absent when the list is complete"`
}

type health struct {
	Status string `json:"status" example:"ok"`
	Schema string `json:"schema" doc:"Version of the schema" example:"1.2.0"`
}
