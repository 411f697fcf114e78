package notification

import "github.com/tabletop-db/tabletop/backend/internal/idempotency"

// Requests and responses beyond the types of model.go.

type enqueueRequest struct {
	idempotency.Header // NT-P1
	Body               eventRequest
}

type eventRequest struct {
	UserID    UserID    `json:"userId"`
	EventType EventType `json:"eventType"`
	Payload   Payload   `json:"payload,omitempty"`
	DedupeKey DedupeKey `json:"dedupeKey,omitempty" doc:"A user gets only one notification for events with the same key within the window"`
}

type eventQuery struct {
	ID     ID     `path:"id"`
	UserID UserID `query:"userId" required:"true"`
}

type notificationPath struct {
	ID ID `path:"id"`
}

type notificationsQuery struct {
	Category Category `query:"category" doc:"Of this category only"`
	Limit    int      `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"Maximum number of entries per page"`
	Cursor   string   `query:"cursor" maxLength:"4000" doc:"cursor of the previous page"`
}

type notificationPage struct {
	Notifications []Notification `json:"notifications" nullable:"false"`
	Cursor        string         `json:"cursor,omitempty" doc:"Absent on the last page; the next page may be empty"`
}

type unreadCount struct {
	Unread int `json:"unread" example:"3"`
}

type readCount struct {
	Read int `json:"read" doc:"Number of notifications marked as read" example:"3"`
}

type preferencesRequest struct {
	Timezone   Timezone           `json:"timezone,omitempty" doc:"Default: UTC"`
	QuietHours []bool             `json:"quietHours,omitempty" minItems:"24" maxItems:"24" doc:"One value per local hour from 0: true delays pushes. Default: 22:00 to 07:00"`
	Categories *categoriesRequest `json:"categories,omitempty" doc:"Default: all on"`
}

type categoriesRequest struct {
	Social    *bool `json:"social,omitempty"`
	News      *bool `json:"news,omitempty"`
	Marketing *bool `json:"marketing,omitempty"`
}

type deviceRequest struct {
	DeviceID  DeviceID  `json:"deviceId"`
	PushToken PushToken `json:"pushToken"`
	Platform  Platform  `json:"platform"`
	Label     string    `json:"label,omitempty" maxLength:"100" pattern:"^[^\\x00-\\x1f\\x7f]*$" patternDescription:"no control characters" example:"iPhone 15 Pro"`
}

type devicePath struct {
	DeviceID DeviceID `path:"deviceId"`
}

type refreshRequest struct {
	DeviceID DeviceID `path:"deviceId"`
	Body     struct {
		PushToken PushToken `json:"pushToken"`
	}
}

type deviceList struct {
	Devices []Device `json:"devices" nullable:"false"`
}

type userPath struct {
	UserID UserID `path:"userId"`
}

type workQuery struct {
	By string `query:"by" enum:"query,feed" default:"query" doc:"How events are found"`
}

type health struct {
	Status string `json:"status" example:"ok"`
	Schema string `json:"schema" doc:"Version of the schema" example:"1.1.0"`
}
