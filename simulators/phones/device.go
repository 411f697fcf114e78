package phones

import (
	"fmt"
	"time"
)

// Device is a device as the API shows it. Empty fields are not compared.
type Device struct {
	DeviceID     string    `json:"deviceId"`
	Platform     string    `json:"platform"`
	Token        string    `json:"expoPushToken,omitempty"`
	RegisteredAt time.Time `json:"registeredAt,omitzero"`
	UpdatedAt    time.Time `json:"updatedAt,omitzero"`
	IsActive     bool      `json:"isActive"`
	ExpiresAt    int64     `json:"expiresAt"` // epoch seconds
}

// expired reports whether a device has expired at this time, deleted or not.
func (d *Device) expired(now time.Time) bool { return d.ExpiresAt <= now.Unix() }

// receivesPushes reports whether pushes are sent to the device.
func (d *Device) receivesPushes(now time.Time) bool { return d != nil && d.IsActive && !d.expired(now) }

// span is the time in which a request was processed, in whole seconds like the backend's times.
type span struct{ from, to time.Time }

func (s span) contains(t time.Time) bool {
	return !t.Before(s.from.Truncate(time.Second)) && !t.After(s.to)
}

// checkRegistration returns an error if the response to a registration or a refresh is wrong. when is the time of the
// request; before is the previous device, nil if there was none. strict means that an expired device is deleted within
// the second.
func checkRegistration(got Device, before *Device, id, platform, token string, window span, strict bool) error {
	switch {
	case got.DeviceID != id || got.Platform != platform:
		return fmt.Errorf("the response is for %s on %s, not %s on %s", got.DeviceID, got.Platform, id, platform)
	case got.Token != token || !got.IsActive:
		return fmt.Errorf("active is %t, newest token is %t", got.IsActive, got.Token == token)
	case !window.contains(got.UpdatedAt):
		return fmt.Errorf("updatedAt is %v, not %v", got.UpdatedAt, window.from)
	case got.ExpiresAt != got.UpdatedAt.Add(Lifetime).Unix():
		return fmt.Errorf("expiresAt is %d, not 90 days after %v", got.ExpiresAt, got.UpdatedAt)
	}
	fresh := window.contains(got.RegisteredAt)
	switch {
	case before == nil && !fresh:
		return fmt.Errorf("registeredAt of a new device is %v", got.RegisteredAt)
	case before == nil:
		return nil
	}
	unchanged := got.RegisteredAt.Equal(before.RegisteredAt)
	expired := before.ExpiresAt < window.from.Unix()
	switch {
	case expired && strict && !fresh || !expired && !before.expired(window.to) && !unchanged:
		return fmt.Errorf("registeredAt is %v; the device was registered at %v and expires at %d", got.RegisteredAt,
			before.RegisteredAt, before.ExpiresAt)
	case !unchanged && !fresh:
		return fmt.Errorf("registeredAt is %v, neither the previous nor the current time", got.RegisteredAt)
	}
	return nil
}
