package cloudwatch

// DeleteAlarmsInput names alarms to delete.
type DeleteAlarmsInput struct{ AlarmNames []string }

// deleteAlarms deletes the alarms that exist, as the service does.
func deleteAlarms(c *caller, in *DeleteAlarmsInput) (*noOutput, error) {
	if err := checkAlarmNames(in.AlarmNames); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock.Now()
	for _, name := range in.AlarmNames {
		a, ok := c.alarms[alarmKey{c.account, name}]
		if !ok {
			continue
		}
		if err := c.remove(a, a.configurationEvent("deleted", now)); err != nil {
			return nil, err
		}
	}
	return &noOutput{}, nil
}

func checkAlarmNames(names []string) error {
	if names == nil {
		return mustNotBeNull("alarmNames")
	}
	if len(names) > 100 {
		return validationError("The collection AlarmNames must not have a size greater than 100.")
	}
	return nil
}
