package cloudwatch

import (
	"encoding/json"
	"fmt"
	"time"
)

// The kinds of items of history.
const (
	configurationUpdate = "ConfigurationUpdate"
	stateUpdateItem     = "StateUpdate"
	actionItem          = "Action"
)

// newEvent returns an item of an alarm's history. data is encoded as JSON.
func (a *alarm) newEvent(kind, summary string, data any, now time.Time) event {
	metricAlarm := "MetricAlarm"
	item := AlarmHistoryItem{AlarmName: a.AlarmName, AlarmType: &metricAlarm, HistoryItemType: &kind,
		HistorySummary: &summary, Timestamp: at(now)}
	if text, err := json.Marshal(data); err == nil {
		words := string(text)
		item.HistoryData = &words
	}
	return event{a.Account, item}
}

// stateData is a state in an item of history.
type stateData struct {
	Value  string          `json:"stateValue"`
	Reason string          `json:"stateReason"`
	Data   json.RawMessage `json:"stateReasonData,omitempty"`
}

func (a *alarm) stateData() stateData {
	d := stateData{Value: *a.StateValue, Reason: *a.StateReason}
	if text := zero(a.StateReasonData); json.Valid([]byte(text)) {
		d.Data = json.RawMessage(text)
	}
	return d
}

// stateUpdate returns the history of a change of state.
func stateUpdate(old, updated *alarm, now time.Time) event {
	return updated.newEvent(stateUpdateItem, fmt.Sprintf("Alarm updated from %s to %s", *old.StateValue,
		*updated.StateValue),
		struct {
			Version string    `json:"version"`
			Old     stateData `json:"oldState"`
			New     stateData `json:"newState"`
		}{"1.0", old.stateData(), updated.stateData()}, now)
}

// configurationEvent returns the history of an alarm that was created, updated or deleted.
func (a *alarm) configurationEvent(done string, now time.Time) event {
	return a.newEvent(configurationUpdate, fmt.Sprintf("Alarm %q %s", *a.AlarmName, done), struct {
		Version string `json:"version"`
		Type    string `json:"type"`
	}{"1.0", map[string]string{"created": "Create", "updated": "Update", "deleted": "Delete"}[done]}, now)
}

// actionEvent returns the history of an action, successful or failed.
func (n *notification) actionEvent(failure error, now time.Time) event {
	data := struct {
		State    string `json:"actionState"`
		Updated  string `json:"stateUpdateTimestamp"`
		Resource string `json:"notificationResource"`
		Message  string `json:"publishedMessage,omitempty"`
		Error    string `json:"error,omitempty"`
	}{"Succeeded", n.alarm.StateUpdatedTimestamp.Format(timestamp), n.action, n.message, ""}
	summary := "Successfully executed action " + n.action
	if failure != nil {
		data.State, data.Error = "Failed", failure.Error()
		summary = fmt.Sprintf("Failed to execute action %s. Received error: %q", n.action, failure.Error())
	}
	return n.alarm.newEvent(actionItem, summary, data, now)
}

// delivered records the result of sending a notification. The sender calls it.
func (s *Service) delivered(n *notification, failure error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.saveAction(n, failure)
}

// saveAction writes the history of an action. s.mu must be held.
func (s *Service) saveAction(n *notification, failure error) {
	if err := s.save(nil, n.actionEvent(failure, s.clock.Now())); err != nil {
		s.log.Error("the history of an alarm could not be written", "alarm", *n.alarm.AlarmName, "error", err)
	}
}
