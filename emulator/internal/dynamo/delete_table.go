package dynamo

// deleteTable removes a table at once; only the answer says that it is being deleted. As the service's, it does not tell of
// the global indexes.
func deleteTable(a *caller, in *TableInput) (*tableAnswer, error) {
	if err := a.ddl.Close(a.waiting()); err != nil {
		return nil, err
	}
	defer a.defined()
	if err := a.mayDelete(*in.TableName); err != nil {
		return nil, err
	}
	t, err := a.namedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	if t.def.DeletionProtection {
		return nil, validationError("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	}
	if err := a.withdraw(a.waiting(), t); err != nil {
		return nil, err
	}
	d := t.describe()
	d.TableStatus, d.GlobalSecondaryIndexes, d.WarmThroughput = deleting, nil, nil
	a.beDeleted(t.def.Name, d)
	return &tableAnswer{d}, nil
}
