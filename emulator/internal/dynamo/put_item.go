package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"

// PutItemInput puts a whole item in the place of the one with its key, if any.
type PutItemInput struct {
	writeRequest
	Item    attributes
	hasItem bool
}

func (in *PutItemInput) decode(d *decoder) error {
	return d.members(func(name []byte) error {
		if string(name) == "Item" {
			in.hasItem = true
			return d.attributes(&in.Item)
		}
		if known, err := in.member(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *PutItemInput) check() error {
	if err := emptyTableName(in.TableName); err != nil {
		return err
	}
	var c constraints
	in.constraints(&c)
	c.required(in.hasItem, "item")
	if err := c.err(); err != nil {
		return err
	}
	if err := in.checkPlaceholders(false, false, false); err != nil {
		return err
	}
	if err := writes.refuse(in.Item.Err); err != nil {
		return err
	}
	if err := in.onlyOld(); err != nil {
		return err
	}
	if err := checkItemSize(in.Item.Value); err != nil {
		return err
	}
	if err := in.parseCondition(); err != nil {
		return err
	}
	return writes.refuse(in.Unused())
}

// checkItemSize refuses an item that no table could hold.
func checkItemSize(it item.Value) error {
	// The stored form is never shorter than half the size by the service's rule: only a large one is counted.
	if len(it) > maxItem/4 && it.ItemSize() > maxItem {
		return validationError("Item size has exceeded the maximum allowed size")
	}
	return nil
}

func putItem(a *request, in *PutItemInput) (*writeOutput, error) {
	t, err := a.account.table(in.TableName.V)
	if err != nil {
		return nil, err
	}
	if err := t.checkItem(in.Item.Value); err != nil {
		return nil, err
	}
	return in.replace(a, t, in.Item.Value, in.Item.Value)
}

// replaceWith puts an item there whatever there was.
func replaceWith(it item.Value) func(item.Value) (item.Value, error) {
	return func(item.Value) (item.Value, error) { return it, nil }
}

// checkItem refuses an item that does not fit the table's key or those of its indexes.
func (t *table) checkItem(it item.Value) error {
	if err := t.keys.checkItem(it); err != nil {
		return err
	}
	for _, x := range t.indexes {
		if err := x.checkItem(it); err != nil {
			return err
		}
	}
	return nil
}

func (in *PutItemInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, resourceRef{table: in.TableName.V, item: in.Item.Value})
}

func (in *PutItemInput) traits() traits { return traits{holds: true, writes: true} }
