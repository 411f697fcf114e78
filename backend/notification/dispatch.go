package notification

import (
	"context"
	"errors"
	"fmt"

	"github.com/tabletop-db/tabletop/backend/push"
)

// dispatch pushes a notification to the user's active devices, each by the service of its platform. A device whose
// token is dead is revoked. err is a transient failure that reached no device: the event is retried. problem is a
// permanent failure: it is stored as the event's lastError.
func (s *Service) dispatch(ctx context.Context, n Notification, did *Round) (problem string, err error) {
	if len(s.cfg.Push) == 0 {
		return "", nil
	}
	devices, err := s.store.activeDevices(ctx, n.UserID)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, sendingTime)
	defer cancel()
	reached, passing := 0, error(nil)
	for _, platform := range []Platform{FCM, APNs} {
		var to []stored[Device]
		for _, d := range devices {
			if d.value.Platform == platform {
				to = append(to, d)
			}
		}
		results, err := s.send(ctx, platform, to, n)
		if err != nil {
			passing = err
			continue
		}
		for i, result := range results {
			why, err := s.weigh(ctx, to[i], result.Err, did)
			switch {
			case err != nil:
				passing = err
			case why != "":
				problem = why
			case result.Err == nil:
				reached++
			}
		}
	}
	did.Pushed += reached
	s.stats.pushed.Add(int64(reached))
	if passing != nil && reached == 0 {
		return "", passing
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

// weigh sorts the result of one message: err is transient, problem is permanent.
func (s *Service) weigh(ctx context.Context, d stored[Device], failed error, did *Round) (problem string, err error) {
	switch {
	case failed == nil:
		return "", nil
	case errors.Is(failed, push.ErrUnregistered):
		dead := d.value
		dead.RevokedAt = s.now()
		revoked, err := s.store.saveDevice(ctx, dead, d.etag) // unless it has a new token by now
		if revoked {
			did.Revoked++
		}
		return "", err
	case errors.Is(failed, push.ErrInvalid), errors.Is(failed, push.ErrTooBig):
		return failed.Error(), nil
	}
	return "", failed
}
