package notification

import (
	"context"
	"slices"
	"strings"
)

// maxActiveDevices is the maximum number of active devices of a user (NT-R8).
const maxActiveDevices = 3

// register is NT-P12: it registers a new device; if there are three active ones, it revokes the one that was seen
// longest ago. A device that is already active is renewed instead. isNew reports whether the device is new.
//
// All registrations of a user replace the same guard document, in one batch with the new device and the revoked ones,
// on condition that the guard is as it was before the active devices were read. So two concurrent registrations never
// both take the last free place, and there are never more than three active devices.
func (s *Service) register(ctx context.Context, user UserID, in deviceRequest) (d Device, isNew bool, err error) {
	id, err := newID()
	if err != nil {
		return d, false, err
	}
	err = s.retryConflicts(ctx, func() (bool, error) {
		now := s.now()
		g, etag, err := readGuard(ctx, s.store.devices, user)
		if err != nil {
			return false, err
		}
		active, err := s.store.activeDevices(ctx, user)
		if err != nil {
			return false, err
		}
		if i := slices.IndexFunc(active, func(a stored[Device]) bool { return a.value.DeviceID == in.DeviceID }); i >= 0 {
			d, isNew = active[i].value, active[i].value.ID == id // created by a write whose response was lost
			d.PushToken, d.Platform, d.Label, d.LastSeenAt = in.PushToken, in.Platform, in.Label, now
			return s.store.saveDevice(ctx, d, active[i].etag)
		}
		d, isNew = Device{
			ID: id, UserID: user, DeviceID: in.DeviceID, PushToken: in.PushToken, Platform: in.Platform, Label: in.Label,
			CreatedAt: now, LastSeenAt: now,
		}, true
		return s.store.register(ctx, d, devicesToRevoke(active, now), g, etag)
	})
	return d, isNew, err
}

// devicesToRevoke returns, revoked, the active devices that make room for one more: those seen longest ago.
func devicesToRevoke(active []stored[Device], now Moment) []stored[Device] {
	if len(active) < maxActiveDevices {
		return nil
	}
	slices.SortFunc(active, func(a, b stored[Device]) int {
		return strings.Compare(string(b.value.LastSeenAt)+string(b.value.CreatedAt)+string(b.value.ID),
			string(a.value.LastSeenAt)+string(a.value.CreatedAt)+string(a.value.ID))
	})
	out := active[maxActiveDevices-1:]
	for i := range out {
		out[i].value.RevokedAt = now
	}
	return out
}

// refresh is NT-P11: it updates the push token of an active device, found by its deviceId.
func (s *Service) refresh(ctx context.Context, user UserID, id DeviceID, token PushToken) (d Device, err error) {
	err = s.retryConflicts(ctx, func() (bool, error) {
		found, err := s.activeByID(ctx, user, id)
		if err != nil {
			return false, err
		}
		if len(found) == 0 {
			return false, errNoDevice
		}
		d = found[0].value
		d.PushToken, d.LastSeenAt = token, s.now()
		return s.store.saveDevice(ctx, d, found[0].etag)
	})
	return d, err
}

// unregister revokes a device, if it exists and is active.
func (s *Service) unregister(ctx context.Context, user UserID, id DeviceID) error {
	return s.retryConflicts(ctx, func() (bool, error) {
		found, err := s.activeByID(ctx, user, id)
		if err != nil {
			return false, err
		}
		for _, d := range found {
			d.value.RevokedAt = s.now()
			if ok, err := s.store.saveDevice(ctx, d.value, d.etag); !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

func (s *Service) activeByID(ctx context.Context, user UserID, id DeviceID) ([]stored[Device], error) {
	found, err := s.store.devicesByID(ctx, user, id)
	return slices.DeleteFunc(found, func(d stored[Device]) bool { return !d.value.active() }), err
}

// activeDevices is NT-P10.
func (s *Service) activeDevices(ctx context.Context, user UserID) ([]Device, error) {
	found, err := s.store.activeDevices(ctx, user)
	devices := make([]Device, len(found))
	for i, d := range found {
		devices[i] = d.value
	}
	return devices, err
}
