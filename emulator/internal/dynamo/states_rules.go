package dynamo

import (
	"maps"
	"slices"
)

// What the service answers about tables in a state of passage, as it did in 2026-10.

func tableInUse(what string) *Error {
	return dynamoError("ResourceInUseException", "Attempt to change a resource which is still in use: "+what)
}

// mayCreate refuses a name that is taken.
func (a *account) mayCreate(name string) error {
	if p := a.transition(name); p != nil && p.status == creating {
		return tableInUse("Table is being created: " + name)
	}
	if _, restoring := a.restoring[name]; restoring {
		return dynamoError("ResourceInUseException", "Table is being used: "+name)
	}
	_, taken := (*a.tables.Load())[name]
	if taken || a.transition(name) != nil {
		return dynamoError("ResourceInUseException", "Table already exists: "+name)
	}
	return nil
}

// mayUpdate refuses to change a table that is being changed.
func (a *account) mayUpdate(name string, in *UpdateTableInput) error {
	p := a.transition(name)
	switch {
	case p == nil || p.status == active:
		return nil
	case p.status == updating && (in.ProvisionedThroughput != nil || in.BillingMode != nil):
		return tableInUse("Table IOPS are currently being updated. Table: " + name)
	case p.status == updating:
		return tableInUse("Table is being updated: " + name)
	}
	return p.refuse(name)
}

// mayDelete refuses to delete a table that is being changed.
func (a *account) mayDelete(name string) error {
	p := a.transition(name)
	switch {
	case p == nil || p.status == active:
		return nil
	case p.status == updating:
		return tableInUse("Table: " + name + " is in the process of being updated.")
	}
	return p.refuse(name)
}

// refuse is for a table that is being created or deleted.
func (p *transition) refuse(name string) error {
	if p.status == creating {
		return tableInUse("Table is being created: " + name)
	}
	return tableInUse("Table is being deleted: " + name)
}

// described tells of a table in whatever state it is.
func (a *account) described(name string) (*tableDescription, error) {
	p := a.transition(name)
	if p != nil && (p.status == creating || p.status == deleting) {
		return p.shown, nil
	}
	t, err := a.namedTable(name)
	if err != nil {
		return nil, err
	}
	d := t.describe()
	if p != nil {
		p.show(d)
	}
	return d, nil
}

// show gives a description of a table what is told of it meanwhile.
func (p *transition) show(d *tableDescription) {
	if p.status == updating {
		items, bytes := d.ItemCount, d.TableSizeBytes
		*d = *p.shown
		d.ItemCount, d.TableSizeBytes = items, bytes
		d.GlobalSecondaryIndexes = slices.Clone(d.GlobalSecondaryIndexes)
		for i := range d.GlobalSecondaryIndexes {
			if x := &d.GlobalSecondaryIndexes[i]; x.IndexStatus == creating {
				backfilling := true // once its room is there, which the answer to the request said was not
				x.Backfilling = &backfilling
			}
		}
		return
	}
	d.WarmThroughput = p.shown.WarmThroughput
}

// tableNames are all tables, in order, whatever their state.
func (a *account) tableNames() []string {
	names := slices.Collect(maps.Keys(*a.tables.Load()))
	a.transitions.mu.Lock()
	names = slices.AppendSeq(names, maps.Keys(a.transitions.of))
	a.transitions.mu.Unlock()
	slices.Sort(names)
	return slices.Compact(names)
}
