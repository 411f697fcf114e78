package dynamo

// deleteTable removes a table at once; only the answer says that it is being deleted. As the service's, it does not tell of
// the global indexes.
func deleteTable(a *request, in *TableInput) (*tableAnswer, error) {
	if err := a.account.ddl.Close(a.waiting()); err != nil {
		return nil, err
	}
	defer a.account.unlockTables()
	if err := a.account.mayDelete(*in.TableName); err != nil {
		return nil, err
	}
	t, err := a.account.namedTable(*in.TableName)
	if err != nil {
		return nil, err
	}
	if t.def.DeletionProtection {
		return nil, validationError("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	}
	if err := a.account.drop(a.waiting(), t); err != nil {
		return nil, err
	}
	d := t.describe()
	d.TableStatus, d.GlobalSecondaryIndexes, d.WarmThroughput = deleting, nil, nil
	a.account.beginDeleting(t.def.Name, d)
	return &tableAnswer{d}, nil
}
