package cloudwatch

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
)

// notification is one action of an alarm: a message to the topic that is the action's ARN.
type notification struct {
	alarm   *alarm
	action  string // its ARN
	id      string
	subject string
	message string // JSON
	sent    time.Time
}

// act starts an action of an alarm that has changed its state. s.mu must be held.
func (s *Service) act(old, updated *alarm, action string, now time.Time) {
	n := &notification{alarm: updated, action: action, id: s.ids.Next(), sent: now,
		subject: fmt.Sprintf("%s: %q in %s", *updated.StateValue, *updated.AlarmName,
			regionName(accounts.Region(updated.Account)))}
	if s.scale != nil && strings.HasPrefix(action, "arn:aws:autoscaling:") {
		s.scale(updated.Account, action)
		s.saveAction(n, nil)
		return
	}
	message, err := json.Marshal(messageOf(old, updated, s.accountID, now))
	if err == nil {
		n.message = string(message)
		err = s.sender.send(n)
	}
	if err != nil {
		s.saveAction(n, err)
	}
}

// regionName returns the name of a region in messages; for most regions, its code.
func regionName(region string) string {
	if region == accounts.DefaultRegion {
		return "US East (N. Virginia)"
	}
	return region
}

// message is the text of a notification. Its members and their order are the service's.
type message struct {
	AlarmName                          string
	AlarmDescription                   *string
	AWSAccountId                       string
	AlarmConfigurationUpdatedTimestamp string
	NewStateValue                      string
	NewStateReason                     string
	StateChangeTime                    string
	Region                             string
	AlarmArn                           string
	OldStateValue                      string
	OKActions                          []string
	AlarmActions                       []string
	InsufficientDataActions            []string
	Trigger                            trigger
}

// trigger describes what the alarm watches: a metric or, with Metrics, an expression.
type trigger struct {
	MetricName        string              `json:",omitempty"`
	Namespace         string              `json:",omitempty"`
	StatisticType     string              `json:",omitempty"`
	Statistic         string              `json:",omitempty"`
	ExtendedStatistic string              `json:",omitempty"`
	Unit              *string             `json:",omitempty"`
	Dimensions        []map[string]string `json:",omitempty"`

	Period                           int64
	EvaluationPeriods                int64
	DatapointsToAlarm                *int64 `json:",omitempty"`
	ComparisonOperator               string
	Threshold                        float64
	TreatMissingData                 string
	EvaluateLowSampleCountPercentile string

	Metrics []MetricDataQuery `json:",omitempty"`
}

func messageOf(old, updated *alarm, id accounts.ID, now time.Time) *message {
	return &message{
		AlarmName: *updated.AlarmName, AlarmDescription: updated.AlarmDescription,
		AWSAccountId:                       id.Number(updated.Account),
		AlarmConfigurationUpdatedTimestamp: updated.AlarmConfigurationUpdatedTimestamp.Format(timestamp),
		NewStateValue:                      *updated.StateValue, NewStateReason: *updated.StateReason,
		StateChangeTime: now.UTC().Format(timestamp),
		Region:          regionName(accounts.Region(updated.Account)), AlarmArn: *updated.AlarmArn,
		OldStateValue: *old.StateValue,
		OKActions:     list(updated.OKActions), AlarmActions: list(updated.AlarmActions),
		InsufficientDataActions: list(updated.InsufficientDataActions),
		Trigger:                 updated.trigger(),
	}
}

// list returns a slice that is not null in JSON.
func list(all []string) []string { return append([]string{}, all...) }

func (a *alarm) trigger() trigger {
	t := trigger{
		Period: a.period, EvaluationPeriods: *a.EvaluationPeriods, DatapointsToAlarm: a.DatapointsToAlarm,
		ComparisonOperator: *a.ComparisonOperator, Threshold: *a.Threshold, TreatMissingData: a.treatment(),
		EvaluateLowSampleCountPercentile: zero(a.EvaluateLowSampleCountPercentile), Metrics: a.Metrics,
	}
	if a.MetricName == nil {
		return t
	}
	t.MetricName, t.Namespace, t.Unit = *a.MetricName, *a.Namespace, a.Unit
	t.StatisticType, t.Statistic = "Statistic", snsStatistic(zero(a.Statistic))
	if a.Statistic == nil {
		t.StatisticType, t.Statistic, t.ExtendedStatistic = "ExtendedStatistic", "", *a.ExtendedStatistic
	}
	for _, d := range a.Dimensions {
		t.Dimensions = append(t.Dimensions, map[string]string{"name": *d.Name, "value": *d.Value})
	}
	return t
}

// snsStatistic returns a statistic's name in messages, such as SAMPLE_COUNT.
func snsStatistic(name string) string {
	if name == "SampleCount" {
		return "SAMPLE_COUNT"
	}
	return strings.ToUpper(name)
}

// envelope is a notification as SNS posts it to an HTTP endpoint. The emulator does not sign it.
type envelope struct {
	Type             string
	MessageId        string
	TopicArn         string
	Subject          string
	Message          string
	Timestamp        string
	SignatureVersion string
	Signature        string
	SigningCertURL   string
	UnsubscribeURL   string
}

func (n *notification) envelope() envelope {
	return envelope{
		Type: "Notification", MessageId: n.id, TopicArn: n.action, Subject: n.subject, Message: n.message,
		Timestamp: n.sent.UTC().Format("2006-01-02T15:04:05.000Z"), SignatureVersion: "1",
	}
}
