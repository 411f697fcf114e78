package cloudwatch

import "encoding/json"

// SetAlarmStateInput sets the state of an alarm until its next evaluation.
type SetAlarmStateInput struct {
	AlarmName       *string
	StateValue      *string
	StateReason     *string
	StateReasonData *string // JSON
}

// setAlarmState also runs the alarm's actions for the state.
func setAlarmState(c *caller, in *SetAlarmStateInput) (*noOutput, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a, ok := c.alarms[alarmKey{c.account, *in.AlarmName}]
	if !ok {
		return nil, notFound("Unknown alarm: %s", *in.AlarmName)
	}
	now := c.clock.Now()
	return &noOutput{}, c.change(a, a.enter(*in.StateValue, *in.StateReason, zero(in.StateReasonData), now), now)
}

func (in *SetAlarmStateInput) check() error {
	if err := checkAlarmName(in.AlarmName); err != nil {
		return err
	}
	if in.StateValue == nil {
		return mustNotBeNull("stateValue")
	}
	if err := checkEnum("stateValue", *in.StateValue, stateOK, stateAlarm, stateInsufficient); err != nil {
		return err
	}
	switch {
	case in.StateReason == nil:
		return mustNotBeNull("stateReason")
	case len(*in.StateReason) > 1023:
		return constraintError(*in.StateReason, "stateReason", "Member must have length less than or equal to 1023")
	case in.StateReasonData != nil && (len(*in.StateReasonData) > 4000 || !json.Valid([]byte(*in.StateReasonData))):
		return invalidFormat("StateReasonData is JSON of at most 4000 bytes.")
	}
	return nil
}
