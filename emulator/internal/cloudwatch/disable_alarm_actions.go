package cloudwatch

// DisableAlarmActionsInput names alarms whose actions are not to be done.
type DisableAlarmActionsInput struct{ AlarmNames []string }

func disableAlarmActions(c *caller, in *DisableAlarmActionsInput) (*noOutput, error) {
	return c.setActionsEnabled(in.AlarmNames, false)
}
