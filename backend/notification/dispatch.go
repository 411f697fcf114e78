package notification

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tabletop-db/tabletop/backend/push"
)

// dispatch pushes a notification to the user's active devices, each by the service of its platform. A device whose
// token is dead is revoked. err is a transient failure that reached no device: the event is retried. problem is a
// permanent failure, or a transient one with a device reached, as a retry would push to that device again: it is stored
// as the event's lastError.
func (s *Service) dispatch(ctx context.Context, n Notification, round *WorkResult) (problem string, err error) {
	if len(s.cfg.Push) == 0 {
		return "", nil
	}
	devices, err := s.store.activeDevices(ctx, n.UserID)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	reached, transient := 0, error(nil)
	for _, platform := range []Platform{FCM, APNs} {
		var to []stored[Device]
		for _, d := range devices {
			if d.value.Platform == platform {
				to = append(to, d)
			}
		}
		results, err := s.send(ctx, platform, to, n)
		if err != nil {
			transient = err
			continue
		}
		for i, result := range results {
			permanent, err := s.handleResult(ctx, to[i], result.Err, round)
			switch {
			case err != nil:
				transient = err
			case permanent != "":
				problem = permanent
			case result.Err == nil:
				reached++
			}
		}
	}
	round.Pushed += reached
	s.stats.pushed.Add(int64(reached))
	if transient != nil && reached == 0 {
		return "", transient
	}
	if transient != nil {
		s.cfg.Logger.Warn("push failed on some devices", slog.String("event_id", string(n.ID)), slog.Any("error", transient))
		problem = cmp.Or(problem, transient.Error())
	}
	return problem, nil
}

func (s *Service) send(ctx context.Context, platform Platform, to []stored[Device], n Notification) ([]push.Result,
	error) {
	sender := s.cfg.Push[platform]
	if sender == nil || len(to) == 0 {
		return nil, nil
	}
	messages := make([]push.Message, len(to))
	for i, d := range to {
		messages[i] = push.Message{
			To: string(d.value.PushToken), Title: n.Title, Body: n.Body,
			Data: map[string]string{
				"notificationId": string(n.ID), "eventType": string(n.EventType), "category": string(n.Category),
				"deeplink": n.Deeplink,
			},
		}
	}
	results, err := sender.Send(ctx, messages)
	if err == nil && len(results) != len(messages) {
		err = fmt.Errorf("the push service returned %d results for %d messages", len(results), len(messages))
	}
	return results, err
}

// handleResult sorts the result of one message: err is transient, problem is permanent.
func (s *Service) handleResult(ctx context.Context, d stored[Device], pushErr error, round *WorkResult) (problem string,
	err error) {
	switch {
	case pushErr == nil:
		return "", nil
	case errors.Is(pushErr, push.ErrUnregistered):
		device := d.value
		device.RevokedAt = s.now()
		revoked, err := s.store.saveDevice(ctx, device, d.etag) // unless it has a new token by now
		if revoked {
			round.Revoked++
		}
		return "", err
	case errors.Is(pushErr, push.ErrInvalid), errors.Is(pushErr, push.ErrTooBig):
		return pushErr.Error(), nil
	}
	return "", pushErr
}
