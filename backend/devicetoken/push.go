package devicetoken

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tabletop-db/tabletop/backend/internal/web"
	"github.com/tabletop-db/tabletop/backend/push"
)

// Results of a push to one device.
const (
	outcomeSent        = "sent"
	outcomeFailed      = "failed"
	outcomeDeactivated = "deactivated"
)

// pushReport is the result of a push to a user's devices.
type pushReport struct {
	Sent        int          `json:"sent" doc:"Devices whose push was accepted"`
	Failed      int          `json:"failed" doc:"Devices whose push was not accepted"`
	Deactivated int          `json:"deactivated" doc:"Devices deactivated because the push service reported their tokens as unregistered"`
	Devices     []pushResult `json:"devices" nullable:"false"`
}

type pushResult struct {
	DeviceID DeviceID `json:"deviceId"`
	Outcome  string   `json:"outcome" enum:"sent,failed,deactivated"`
	Reason   string   `json:"reason,omitempty" doc:"The push service's reason, when the push was not accepted"`
}

// push sends a notification to every device of a user that gets pushes (PE-P4). A device whose token is dead is
// deactivated, unless it has registered again in the meantime. Malformed tokens, which the table may have from before
// they were rejected, are not sent to the push service.
func (s *Service) push(ctx context.Context, u UserID, title, body string, data map[string]string) (pushReport, error) {
	report := pushReport{Devices: []pushResult{}}
	if s.cfg.Push == nil {
		return report, web.Unavailable("no push service is configured; start the backend with --push-url")
	}
	devices, err := s.active(ctx, u)
	if err != nil {
		return report, err
	}
	errs, err := s.send(ctx, devices, push.Message{Title: title, Body: body, Data: data})
	if err != nil {
		return report, err
	}
	for i, d := range devices {
		report.add(d.DeviceID, s.handleResult(ctx, u, d, errs[i]), errs[i])
	}
	s.stats.sent.Add(int64(report.Sent))
	s.stats.failed.Add(int64(report.Failed))
	s.stats.deactivated.Add(int64(report.Deactivated))
	return report, nil
}

// send sends a message to each device and returns the error of each, nil where the push service accepted it.
func (s *Service) send(ctx context.Context, devices []Device, m push.Message) ([]error, error) {
	errs := make([]error, len(devices))
	var messages []push.Message
	var to []int // the device index of each message
	for i, d := range devices {
		if !validToken(string(d.Token)) {
			errs[i] = errMalformedToken
			continue
		}
		m.To = string(d.Token)
		messages, to = append(messages, m), append(to, i)
	}
	if len(messages) == 0 {
		return errs, nil
	}
	results, err := s.cfg.Push.Send(ctx, messages)
	if err == nil && len(results) != len(messages) {
		err = fmt.Errorf("the push service returned %d results for %d messages", len(results), len(messages))
	}
	if err != nil {
		return nil, err
	}
	for i, r := range results {
		errs[to[i]] = r.Err
	}
	return errs, nil
}

// handleResult handles the result of one push. If a dead device cannot be deactivated now, the next push will do it: an
// error would make the caller repeat this push, also to the devices that have received it.
func (s *Service) handleResult(ctx context.Context, u UserID, d Device, pushErr error) string {
	switch {
	case pushErr == nil:
		return outcomeSent
	case !errors.Is(pushErr, push.ErrUnregistered):
		return outcomeFailed
	}
	deactivated, err := s.store.deactivateUnregistered(ctx, u, d, timestamp(s.cfg.Now()))
	if err != nil {
		s.cfg.Logger.Warn("unregistered device not deactivated", slog.String("device_id", string(d.DeviceID)),
			slog.Any("error", err))
	}
	if err != nil || !deactivated {
		return outcomeFailed
	}
	return outcomeDeactivated
}

func (r *pushReport) add(id DeviceID, outcome string, pushErr error) {
	result := pushResult{DeviceID: id, Outcome: outcome}
	if pushErr != nil {
		result.Reason = pushErr.Error()
	}
	r.Devices = append(r.Devices, result)
	switch outcome {
	case outcomeSent:
		r.Sent++
	case outcomeFailed:
		r.Failed++
	case outcomeDeactivated:
		r.Deactivated++
	}
}
