package autoscaling

// Settings are how the read or write capacity of a table or an index is scaled, as DynamoDB describes it.
type Settings struct {
	Min, Max         int64
	RoleARN          string
	Policy           string // name of the policy; empty: there is none
	Target           float64
	DisableScaleIn   *bool
	ScaleInCooldown  *int
	ScaleOutCooldown *int
}

// Settings returns how the read or write capacity of an account's table is scaled, or of its index if that is not
// empty. ok is false if it is not scaled.
func (s *Service) Settings(account, table, index string, write bool) (settings Settings, ok bool) {
	t := s.find(keyOf(account, table, index, write))
	if t == nil {
		return Settings{}, false
	}
	settings = Settings{Min: t.Min, Max: t.Max, RoleARN: s.roleARN(t)}
	if p := t.Policy; p != nil {
		settings.Policy, settings.Target = p.Name, *p.Config.TargetValue
		settings.DisableScaleIn = p.Config.DisableScaleIn
		settings.ScaleInCooldown, settings.ScaleOutCooldown = p.Config.ScaleInCooldown, p.Config.ScaleOutCooldown
	}
	return settings, true
}

// keyOf returns the key of the target of a capacity.
func keyOf(account, table, index string, write bool) key {
	k := key{account, "table/" + table, "dynamodb:table:"}
	if index != "" {
		k.resource, k.dimension = k.resource+"/index/"+index, "dynamodb:index:"
	}
	if write {
		k.dimension += "WriteCapacityUnits"
	} else {
		k.dimension += "ReadCapacityUnits"
	}
	return k
}
