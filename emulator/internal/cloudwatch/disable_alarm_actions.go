package cloudwatch

// DisableAlarmActionsInput names alarms whose actions are disabled.
type DisableAlarmActionsInput struct{ AlarmNames []string }

func disableAlarmActions(c *caller, in *DisableAlarmActionsInput) (*noOutput, error) {
	return c.setActionsEnabled(in.AlarmNames, false)
}
