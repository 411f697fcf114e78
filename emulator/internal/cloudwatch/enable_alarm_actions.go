package cloudwatch

// EnableAlarmActionsInput names alarms whose actions are to be done.
type EnableAlarmActionsInput struct{ AlarmNames []string }

func enableAlarmActions(c *caller, in *EnableAlarmActionsInput) (*noOutput, error) {
	return c.setActionsEnabled(in.AlarmNames, true)
}

// setActionsEnabled changes those of the alarms that there are.
func (c *caller) setActionsEnabled(names []string, enabled bool) (*noOutput, error) {
	if err := checkAlarmNames(names); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock.Now()
	for _, name := range names {
		a, ok := c.alarms[alarmKey{c.account, name}]
		if !ok || *a.ActionsEnabled == enabled {
			continue
		}
		next := *a
		next.ActionsEnabled, next.AlarmConfigurationUpdatedTimestamp = &enabled, at(now)
		if err := c.save(&next, next.configured("updated", now)); err != nil {
			return nil, err
		}
	}
	return &noOutput{}, nil
}
