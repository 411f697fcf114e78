package cloudwatch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// Time is a time on the wire: tagged seconds in CBOR, seconds in JSON, ISO 8601 in forms and XML.
type Time struct{ time.Time }

func at(t time.Time) *Time { return &Time{t.UTC()} }

func (t Time) seconds() float64 { return float64(t.UnixMilli()) / 1000 }

// fromSeconds returns the time for seconds since 1970, to the millisecond.
func fromSeconds(seconds float64) (Time, error) {
	if math.IsNaN(seconds) || math.Abs(seconds) > 1e11 {
		return Time{}, fmt.Errorf("%v is not a time", seconds)
	}
	return Time{time.UnixMilli(int64(math.Round(seconds * 1000))).UTC()}, nil
}

// MarshalCBOR implements cbor.Marshaler.
func (t Time) MarshalCBOR() ([]byte, error) {
	return cbor.Marshal(cbor.Tag{Number: 1, Content: t.seconds()})
}

// UnmarshalCBOR implements cbor.Unmarshaler.
func (t *Time) UnmarshalCBOR(data []byte) error {
	var tagged cbor.RawTag
	if err := cbor.Unmarshal(data, &tagged); err == nil {
		if tagged.Number != 1 {
			return fmt.Errorf("tag %d is not a time", tagged.Number)
		}
		data = tagged.Content
	}
	var seconds float64
	if err := cbor.Unmarshal(data, &seconds); err != nil {
		return err
	}
	var err error
	*t, err = fromSeconds(seconds)
	return err
}

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) { return json.Marshal(t.seconds()) }

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		return t.Time.UnmarshalJSON(data)
	}
	var seconds float64
	if err := json.Unmarshal(data, &seconds); err != nil {
		return err
	}
	var err error
	*t, err = fromSeconds(seconds)
	return err
}

// Dimension is one dimension of a metric.
type Dimension struct {
	Name  *string `json:",omitempty"`
	Value *string `json:",omitempty"`
}

// Metric identifies a metric.
type Metric struct {
	Namespace  *string     `json:",omitempty"`
	MetricName *string     `json:",omitempty"`
	Dimensions []Dimension `json:",omitempty"`
}

// MetricStat is a statistic of a metric.
type MetricStat struct {
	Metric *Metric `json:",omitempty"`
	Period *int64  `json:",omitempty"` // seconds
	Stat   *string `json:",omitempty"`
	Unit   *string `json:",omitempty"`
}

// MetricDataQuery is a metric's statistic, or an expression over others.
type MetricDataQuery struct {
	Id         *string     `json:",omitempty"`
	AccountId  *string     `json:",omitempty"`
	Expression *string     `json:",omitempty"`
	Label      *string     `json:",omitempty"`
	MetricStat *MetricStat `json:",omitempty"`
	Period     *int64      `json:",omitempty"`
	ReturnData *bool       `json:",omitempty"` // absent: true
}

// Tag is a tag of an alarm.
type Tag struct {
	Key   *string `json:",omitempty"`
	Value *string `json:",omitempty"`
}

// MetricAlarm is an alarm in responses.
type MetricAlarm struct {
	AlarmName                          *string           `json:",omitempty"`
	AlarmArn                           *string           `json:",omitempty"`
	AlarmDescription                   *string           `json:",omitempty"`
	AlarmConfigurationUpdatedTimestamp *Time             `json:",omitempty"`
	ActionsEnabled                     *bool             `json:",omitempty"`
	OKActions                          []string          `json:",omitempty"`
	AlarmActions                       []string          `json:",omitempty"`
	InsufficientDataActions            []string          `json:",omitempty"`
	StateValue                         *string           `json:",omitempty"`
	StateReason                        *string           `json:",omitempty"`
	StateReasonData                    *string           `json:",omitempty"`
	StateUpdatedTimestamp              *Time             `json:",omitempty"`
	StateTransitionedTimestamp         *Time             `json:",omitempty"`
	MetricName                         *string           `json:",omitempty"`
	Namespace                          *string           `json:",omitempty"`
	Statistic                          *string           `json:",omitempty"`
	ExtendedStatistic                  *string           `json:",omitempty"`
	Dimensions                         []Dimension       `json:",omitempty"`
	Period                             *int64            `json:",omitempty"`
	Unit                               *string           `json:",omitempty"`
	EvaluationPeriods                  *int64            `json:",omitempty"`
	DatapointsToAlarm                  *int64            `json:",omitempty"`
	Threshold                          *float64          `json:",omitempty"`
	ComparisonOperator                 *string           `json:",omitempty"`
	TreatMissingData                   *string           `json:",omitempty"`
	EvaluateLowSampleCountPercentile   *string           `json:",omitempty"`
	EvaluationWindow                   *EvaluationWindow `json:",omitempty"`
	Metrics                            []MetricDataQuery `json:",omitempty"`
}

// EvaluationWindow determines where the periods of an alarm begin: sliding, so that they end with the evaluation, or at
// multiples of the period. Absent means sliding.
type EvaluationWindow struct {
	SlidingWindow   *struct{}        `json:",omitempty"`
	WallClockWindow *WallClockWindow `json:",omitempty"`
}

// WallClockWindow makes periods begin at their multiples.
type WallClockWindow struct {
	Timezone *string `json:",omitempty"`
}

// AlarmHistoryItem is an item of an alarm's history.
type AlarmHistoryItem struct {
	AlarmName       *string `json:",omitempty"`
	AlarmType       *string `json:",omitempty"`
	Timestamp       *Time   `json:",omitempty"`
	HistoryItemType *string `json:",omitempty"`
	HistorySummary  *string `json:",omitempty"`
	HistoryData     *string `json:",omitempty"`
}

// noOutput is the empty response of operations that return nothing.
type noOutput struct{}

// valueOr returns *p, or a default if p is nil.
func valueOr[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}

// zero returns *p, or the zero value if p is nil.
func zero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
