package devicetoken

import "time"

// Device is a registered device as its user sees it.
type Device struct {
	DeviceID     DeviceID  `json:"deviceId" dynamodbav:"deviceId"`
	Platform     Platform  `json:"platform" dynamodbav:"platform"`
	Token        PushToken `json:"expoPushToken" dynamodbav:"expoPushToken"`
	RegisteredAt Timestamp `json:"registeredAt" dynamodbav:"registeredAt" doc:"Time of the first registration; never changes"`
	UpdatedAt    Timestamp `json:"updatedAt" dynamodbav:"updatedAt" doc:"Time of the latest registration, refresh or deactivation"`
	IsActive     bool      `json:"isActive" dynamodbav:"isActive" doc:"False after a logout, or when the push service reported the token as unregistered"`
	ExpiresAt    int64     `json:"expiresAt" dynamodbav:"expiresAt" doc:"Epoch seconds after which the device receives no pushes and is removed: 90 days after the latest refresh" example:"1777890600"`
}

// String types of the API that have a format (PE-R3). Each declares its schema in the OpenAPI document.
type (
	// DeviceID is the app's id of a device: 1 to 128 letters, digits, '.', '_', ':' and '-', not starting with a dot.
	DeviceID string
	// PushToken is an Expo push token: ExponentPushToken[…].
	PushToken string
	// Platform is ios or android.
	Platform string
	// Timestamp is RFC 3339 in UTC with Z and whole seconds, so that text order is time order.
	Timestamp string
	// UserID is the subject of a token: see auth.ValidSubject.
	UserID string
)

const (
	patternDeviceID  = `^[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,127}$` // no leading dot: "." and ".." would change the path
	patternToken     = `^ExponentPushToken\[[A-Za-z0-9_-]{1,128}\]$`
	patternTimestamp = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$`
	patternUserID    = `^[A-Za-z0-9_:@|+=-][A-Za-z0-9._:@|+=-]{0,254}$`

	timestampLayout = "2006-01-02T15:04:05Z"

	// lifetime is how long a device is kept after its latest refresh. The document's overview counts from the
	// registration and says that refreshes extend it; this means 90 days from the last refresh (PE-D4).
	lifetime = 90 * 24 * time.Hour
)

func timestamp(t time.Time) Timestamp { return Timestamp(t.UTC().Format(timestampLayout)) }

// expiry returns the expiresAt of a device that is refreshed now (PE-R2).
func expiry(now time.Time) int64 { return now.Add(lifetime).Unix() }

// Reasons why a device gets no push (PE-O8).
const (
	reasonInactive       = "inactive"
	reasonExpired        = "expired"
	reasonNoExpiry       = "no_expiry" // PE-P4 requires a later expiresAt, and there is none
	reasonMalformedToken = "malformed_token"
)

// undeliverableReasons returns the reasons why a device gets no push at now; none if it gets one.
func (d Device) undeliverableReasons(now time.Time) []string {
	reasons := []string{}
	if !d.IsActive {
		reasons = append(reasons, reasonInactive)
	}
	switch {
	case d.ExpiresAt == 0:
		reasons = append(reasons, reasonNoExpiry)
	case d.ExpiresAt <= now.Unix():
		reasons = append(reasons, reasonExpired)
	}
	if !validToken(string(d.Token)) {
		reasons = append(reasons, reasonMalformedToken)
	}
	return reasons
}

// validToken is equivalent to patternToken: the table may contain tokens from before the pattern was enforced.
func validToken(s string) bool {
	const prefix, suffix = "ExponentPushToken[", "]"
	if len(s) <= len(prefix)+len(suffix) || len(s) > len(prefix)+128+len(suffix) || s[:len(prefix)] != prefix ||
		s[len(s)-1:] != suffix {
		return false
	}
	for _, c := range []byte(s[len(prefix) : len(s)-len(suffix)]) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}
