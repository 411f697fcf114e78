package notification

import (
	"encoding/json"
	"time"
)

// Event is a document of notification_events: something happened of which a user is to be notified.
type Event struct {
	ID          ID        `json:"id"`
	UserID      UserID    `json:"userId"`
	EventType   EventType `json:"eventType"`
	Category    Category  `json:"category"`
	Payload     Payload   `json:"payload"`
	Status      Status    `json:"status"`
	RetryCount  int       `json:"retryCount" minimum:"0" maximum:"5" doc:"Retries started"`
	NextRetryAt Moment    `json:"nextRetryAt" doc:"When a worker processes it again: the next retry, or the end of the lease or of quiet hours"`
	LastError   Text      `json:"lastError" doc:"Why the last attempt failed; kept after a later success"`
	DedupeKey   Text      `json:"dedupeKey"`
	CreatedAt   Moment    `json:"createdAt"`
	ProcessedAt Moment    `json:"processedAt" doc:"When it reached its final status"`
	PushAfter   Moment    `json:"pushAfter,omitempty" doc:"The in-app notification exists, and the push waits until this time"`
}

// Notification is a document of notifications: an entry of a user's notification centre. It has the id of its event.
type Notification struct {
	ID          ID        `json:"id"`
	UserID      UserID    `json:"userId"`
	Category    Category  `json:"category"`
	EventType   EventType `json:"eventType"`
	Title       string    `json:"title" example:"New like"`
	Body        string    `json:"body" example:"Bob liked your post"`
	Deeplink    string    `json:"deeplink" example:"asora://post/p1"`
	TargetID    Text      `json:"targetId"`
	TargetType  Text      `json:"targetType"`
	Read        bool      `json:"read"`
	ReadAt      Moment    `json:"readAt"`
	Dismissed   bool      `json:"dismissed"`
	DismissedAt Moment    `json:"dismissedAt"`
	CreatedAt   Moment    `json:"createdAt"`
}

// Preferences is a document of notification_preferences; its id is the userId.
type Preferences struct {
	ID         UserID     `json:"id"`
	UserID     UserID     `json:"userId"`
	Timezone   Timezone   `json:"timezone"`
	QuietHours QuietHours `json:"quietHours"`
	Categories Categories `json:"categories"`
	UpdatedAt  Moment     `json:"updatedAt" doc:"null for the default preferences"`
}

// Categories are the categories that a user can switch off; safety and security cannot be (NT-R7).
type Categories struct {
	Social    bool `json:"social"`
	News      bool `json:"news"`
	Marketing bool `json:"marketing"`
}

// Device is a document of device_tokens: a phone that receives pushes while revokedAt is null.
type Device struct {
	ID         ID        `json:"id"`
	UserID     UserID    `json:"userId"`
	DeviceID   DeviceID  `json:"deviceId"`
	PushToken  PushToken `json:"pushToken"`
	Platform   Platform  `json:"platform"`
	Label      string    `json:"label" example:"iPhone 15 Pro"`
	CreatedAt  Moment    `json:"createdAt"`
	LastSeenAt Moment    `json:"lastSeenAt"`
	RevokedAt  Moment    `json:"revokedAt"`
}

func (d Device) active() bool { return d.RevokedAt == "" }

// Types of the documents that have a format. Each declares its schema in the OpenAPI document.
type (
	// ID identifies a document; the service assigns version 4 UUIDs.
	ID string
	// UserID is the partition key of every container: the subject of the user's bearer token.
	UserID string
	// DeviceID identifies a user's device; the app chooses it.
	DeviceID string
	// PushToken is the push service's token of an app on a device.
	PushToken string
	// Platform is the push service of a device.
	Platform string
	// EventType is the type of an event, one of twelve.
	EventType string
	// Category is the category of an event type, one of five.
	Category string
	// Status is the status of an event.
	Status string
	// TargetType is the type of a payload's targetId.
	TargetType string
	// DedupeKey is equal for events of a user that are duplicates of each other.
	DedupeKey string
	// Timezone is a name of the IANA database.
	Timezone string
	// Text is an optional string; an empty one is null in a document.
	Text string
	// Moment is RFC 3339 in UTC with Z and three decimals, so that text order is time order; an empty one is null in a
	// document.
	Moment string
)

// The push services.
const (
	FCM  Platform = "fcm"
	APNs Platform = "apns"
)

// Types of a notification's target.
const (
	Post    TargetType = "post"
	Comment TargetType = "comment"
	User    TargetType = "user"
)

// defaultPreferences returns the preferences of a user who has set none.
func defaultPreferences(user UserID) Preferences {
	return Preferences{
		ID: user, UserID: user, Timezone: "UTC", QuietHours: defaultQuietHours(),
		Categories: Categories{Social: true, News: true, Marketing: true},
	}
}

// allow reports whether the user wants notifications of a category (NT-R7).
func (c Categories) allow(category Category) bool {
	switch category {
	case Social:
		return c.Social
	case News:
		return c.News
	case Marketing:
		return c.Marketing
	}
	return true
}

const momentLayout = "2006-01-02T15:04:05.000Z"

func moment(t time.Time) Moment { return Moment(t.UTC().Format(momentLayout)) }

// time parses the moment; it returns the zero time if the moment is empty or invalid.
func (m Moment) time() time.Time {
	t, _ := time.Parse(momentLayout, string(m)) // this package can read what it wrote
	return t
}

// MarshalJSON writes null for an empty moment: NT-D2 requires the field.
func (m Moment) MarshalJSON() ([]byte, error) { return orNull(string(m)) }

// MarshalJSON writes null for an empty text.
func (t Text) MarshalJSON() ([]byte, error) { return orNull(string(t)) }

func orNull(text string) ([]byte, error) {
	if text == "" {
		return []byte("null"), nil
	}
	return json.Marshal(text)
}

const (
	patternID        = `^[A-Za-z0-9_-]{1,64}$`
	patternUserID    = `^[A-Za-z0-9_:@|+=-][A-Za-z0-9._:@|+=-]{0,254}$`
	patternDeviceID  = `^[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,127}$` // no leading dot: "." and ".." would change the path
	patternPushToken = `^[!-~]{1,1000}$`
	patternDedupeKey = `^[!-~]{1,255}$`
)
