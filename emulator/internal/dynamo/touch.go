package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"

// resourceRef is something that a request names: a table, an index, or an item. Who decides about a request before it runs, such
// as a policy or a fault, decides by its touches.
type resourceRef struct {
	// action is what a policy calls doing this, such as "PutItem"; of members of a transaction each their own.
	action string
	table  string // its name, as the request has it; empty where the request is about no one table
	index  string // empty: the table itself
	// item has the attributes of the key, among others perhaps; nil where the request names no single item.
	item item.Value
	// resource is the ARN, where table and index do not say it: of a stream, a backup.
	resource string
}

// resourceNamer is an input that names tables. appendTouches appends what it touches, in the order of the request. It is asked
// once the input is checked.
type resourceNamer interface {
	appendTouches(dst []resourceRef) []resourceRef
}

// appendResourceRefs appends what any input touches; one that is about no table touches the service itself.
func appendResourceRefs(dst []resourceRef, operation string, in input) []resourceRef {
	t, ok := in.(resourceNamer)
	if !ok {
		return append(dst, resourceRef{action: operation})
	}
	from := len(dst)
	dst = t.appendTouches(dst)
	for i := range dst[from:] {
		if dst[from+i].action == "" {
			dst[from+i].action = operation
		}
	}
	return dst
}

func (in *GetItemInput) appendTouches(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: in.TableName.V, item: in.Key.Value})
}

func (in *PutItemInput) appendTouches(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: in.TableName.V, item: in.Item.Value})
}

func (in *UpdateItemInput) appendTouches(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: in.TableName.V, item: in.Key.Value})
}

func (in *DeleteItemInput) appendTouches(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: in.TableName.V, item: in.Key.Value})
}

// appendTouches is what a Query or a Scan reads; the key of a Query depends on the table's schema.
func (in *readRequest) appendTouches(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: in.TableName.V, index: in.IndexName.V})
}

func (in *BatchGetItemInput) appendTouches(dst []resourceRef) []resourceRef {
	for i := range in.RequestItems {
		for _, key := range in.RequestItems[i].keys {
			dst = append(dst, resourceRef{table: in.RequestItems[i].table, item: key.Value})
		}
	}
	return dst
}

func (in *BatchWriteItemInput) appendTouches(dst []resourceRef) []resourceRef {
	for _, t := range in.RequestItems {
		for i := range t.requests {
			dst = append(dst, resourceRef{table: t.table, item: t.requests[i].target()})
		}
	}
	return dst
}

func (in *TransactGetItemsInput) appendTouches(dst []resourceRef) []resourceRef {
	for i := range in.TransactItems {
		g := &in.TransactItems[i]
		dst = append(dst, resourceRef{action: "GetItem", table: g.TableName.V, item: g.Key.Value})
	}
	return dst
}

// transactActions are the names that policies have for the members of a transaction.
var transactActions = map[string]string{"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}

func (in *TransactWriteItemsInput) appendTouches(dst []resourceRef) []resourceRef {
	for i := range in.TransactItems {
		t := &in.TransactItems[i]
		dst = append(dst, resourceRef{action: transactActions[t.kind], table: t.TableName.V, item: t.target()})
	}
	return dst
}

func (in *TableInput) appendTouches(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: orZero(in.TableName)})
}

func (in *CreateTableInput) appendTouches(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: orZero(in.TableName)})
}

func (in *UpdateTableInput) appendTouches(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: orZero(in.TableName)})
}

func (in *UpdateTimeToLiveInput) appendTouches(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: orZero(in.TableName)})
}

func (in *TagResourceInput) appendTouches(dst []resourceRef) []resourceRef {
	return append(dst, tableRef(in.ResourceArn))
}

func (in *UntagResourceInput) appendTouches(dst []resourceRef) []resourceRef {
	return append(dst, tableRef(in.ResourceArn))
}

func (in *ListTagsOfResourceInput) appendTouches(dst []resourceRef) []resourceRef {
	return append(dst, tableRef(in.ResourceArn))
}

// tableRef is the table that an ARN names, which may be none.
func tableRef(arn *string) resourceRef {
	name, _ := tableOfResource(orZero(arn)) // what is no ARN of a table is refused later
	return resourceRef{table: name}
}
