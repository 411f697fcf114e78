package cloudwatch

// EnableAlarmActionsInput names alarms whose actions are enabled.
type EnableAlarmActionsInput struct{ AlarmNames []string }

func enableAlarmActions(c *caller, in *EnableAlarmActionsInput) (*noOutput, error) {
	return c.setActionsEnabled(in.AlarmNames, true)
}

// setActionsEnabled changes the alarms that exist.
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
		if err := c.save(&next, next.configurationEvent("updated", now)); err != nil {
			return nil, err
		}
	}
	return &noOutput{}, nil
}
