package cloudwatch

// OnScalingAction sets the function that is called with each action of an alarm that is a scaling policy, and with the
// account's name. It must not wait, nor use the Service.
func (s *Service) OnScalingAction(run func(account, policy string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scale = run
}

// PutScalingAlarm creates an alarm of a scaling policy in an account. The input is trusted, and its name may be longer
// than users' names. Periods without data points have the value 0 from the second zeroSince on; 0: none has.
func (s *Service) PutScalingAlarm(account string, in *PutMetricAlarmInput, zeroSince int64) error {
	c := &caller{Service: s, account: account}
	now := s.clock.Now()
	a := in.alarm(account, s.arnOf(account, *in.AlarmName))
	a.AlarmConfigurationUpdatedTimestamp, a.ZeroSince = at(now), zeroSince
	a.begin(now)
	if err := a.prepare(c); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.alarms) >= maxAlarms {
		return tooManyAlarms()
	}
	return s.save(a, a.configurationEvent("created", now))
}

// DeleteScalingAlarms deletes those of an account's alarms that exist.
func (s *Service) DeleteScalingAlarms(account string, names ...string) error {
	_, err := deleteAlarms(&caller{Service: s, account: account}, &DeleteAlarmsInput{AlarmNames: names})
	return err
}

// InAlarm reports whether an account has an alarm of that name in the state ALARM.
func (s *Service) InAlarm(account, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.alarms[alarmKey{account, name}]
	return ok && *a.StateValue == stateAlarm
}
