package cloudwatch

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// DescribeAlarmHistoryInput requests the history of one alarm or of all alarms.
type DescribeAlarmHistoryInput struct {
	AlarmName          *string
	AlarmContributorId *string
	AlarmTypes         []string // absent: MetricAlarm
	HistoryItemType    *string
	StartDate          *Time
	EndDate            *Time
	ScanBy             *string // absent: TimestampDescending
	MaxRecords         *int64
	NextToken          *string
}

// DescribeAlarmHistoryOutput is the response.
type DescribeAlarmHistoryOutput struct {
	AlarmHistoryItems []AlarmHistoryItem `json:",omitempty"`
	NextToken         *string            `json:",omitempty"`
}

func describeAlarmHistory(c *caller, in *DescribeAlarmHistoryInput) (*DescribeAlarmHistoryOutput, error) {
	if err := checkEnum("scanBy", valueOr(in.ScanBy, "TimestampDescending"), "TimestampDescending",
		"TimestampAscending"); err != nil {
		return nil, err
	}
	if err := checkEnum("historyItemType", valueOr(in.HistoryItemType, actionItem), configurationUpdate, stateUpdateItem,
		actionItem); err != nil {
		return nil, err
	}
	most, err := maxRecords(in.MaxRecords)
	if err != nil {
		return nil, err
	}
	ascending := zero(in.ScanBy) == "TimestampAscending"
	from, to := historyKey(0), []byte{keyspace.CloudWatch, keyspace.AlarmHistory + 1}
	if in.NextToken != nil {
		last, err := strconv.ParseUint(*in.NextToken, 10, 63)
		if err != nil {
			return nil, invalidToken()
		}
		if ascending {
			from = historyKey(last + 1)
		} else {
			to = historyKey(last)
		}
	}
	out := &DescribeAlarmHistoryOutput{}
	err = c.store.View(func(r *store.Reader) error {
		it := r.Iter(from, to, !ascending)
		defer it.Close()
		if err := in.read(c, &it, most, out); err != nil {
			return err
		}
		return it.Close()
	})
	return out, err
}

// read reads a page of items. Its token is the number of the last one.
func (in *DescribeAlarmHistoryInput) read(c *caller, it *store.Iter, most int, out *DescribeAlarmHistoryOutput) error {
	var last uint64
	for it.Next() {
		if err := c.work.Step(1 + len(it.Value())); err != nil {
			return err
		}
		var e event
		if err := json.Unmarshal(it.Value(), &e); err != nil {
			return err
		}
		if !in.matches(c, &e) {
			continue
		}
		if len(out.AlarmHistoryItems) == most {
			token := strconv.FormatUint(last, 10)
			out.NextToken = &token
			return nil
		}
		var err error
		if last, _, err = store.DecodeUint64(it.Key()[2:]); err != nil {
			return err
		}
		out.AlarmHistoryItems = append(out.AlarmHistoryItems, e.AlarmHistoryItem)
	}
	return nil
}

func (in *DescribeAlarmHistoryInput) matches(c *caller, e *event) bool {
	return e.Account == c.account &&
		(len(in.AlarmTypes) == 0 || slices.Contains(in.AlarmTypes, "MetricAlarm")) &&
		equalIfSet(in.AlarmName, e.AlarmName) && equalIfSet(in.HistoryItemType, e.HistoryItemType) &&
		(in.StartDate == nil || !e.Timestamp.Before(in.StartDate.Time)) &&
		(in.EndDate == nil || !e.Timestamp.After(in.EndDate.Time)) &&
		e.Timestamp.After(c.clock.Now().Add(-historyRetention))
}
