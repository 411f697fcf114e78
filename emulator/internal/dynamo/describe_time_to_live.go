package dynamo

type describeTimeToLiveOutput struct{ TimeToLiveDescription timeToLiveDescription }

type timeToLiveDescription struct {
	TimeToLiveStatus string
	AttributeName    string `json:",omitempty"`
}

func (out *describeTimeToLiveOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, out) }

func describeTimeToLive(a *request, in *TableInput) (*describeTimeToLiveOutput, error) {
	t, err := a.account.namedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	d := timeToLiveDescription{"DISABLED", ""}
	if t.def.TTLAttribute != "" {
		d = timeToLiveDescription{"ENABLED", t.def.TTLAttribute}
	}
	return &describeTimeToLiveOutput{d}, nil
}
