package dynamo

// DeleteItemInput deletes the item of a key, if there is one.
type DeleteItemInput struct {
	writeRequest
	Key    attributes
	hasKey bool
}

func (in *DeleteItemInput) decode(d *decoder) error {
	return d.members(func(name []byte) error {
		if string(name) == "Key" {
			in.hasKey = true
			return d.attributes(&in.Key)
		}
		if known, err := in.member(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *DeleteItemInput) check() error {
	if err := emptyTableName(in.TableName); err != nil {
		return err
	}
	var c constraints
	in.constraints(&c)
	c.required(in.hasKey, "key")
	if err := c.err(); err != nil {
		return err
	}
	if err := in.checkPlaceholders(false, false, false); err != nil {
		return err
	}
	if err := writes.refuse(in.Key.Err); err != nil {
		return err
	}
	if err := in.onlyOld(); err != nil {
		return err
	}
	if err := in.parseCondition(); err != nil {
		return err
	}
	return writes.refuse(in.Unused())
}

func deleteItem(a *request, in *DeleteItemInput) (*writeOutput, error) {
	t, err := a.account.table(in.TableName.V)
	if err != nil {
		return nil, err
	}
	if err := t.keys.checkKey(in.Key.Value); err != nil {
		return nil, err
	}
	return in.replace(a, t, in.Key.Value, nil)
}

func (in *DeleteItemInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: in.TableName.V, item: in.Key.Value})
}

func (in *DeleteItemInput) traits() traits { return traits{holds: true, writes: true} }
