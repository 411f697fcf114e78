package dynamo

// maxBatchWrites is how many requests one BatchWriteItem may have.
const maxBatchWrites = 25

// batchWriteOutput is what the batch cost, and what of it there was no capacity for.
type batchWriteOutput struct {
	capacity    perTable
	mode        string
	collections map[string][]*collectionMetrics
	unprocessed []tableWrites
}

func batchWriteItem(a *request, in *BatchWriteItemInput) (*batchWriteOutput, error) {
	changes, err := in.changes(a)
	if err != nil {
		return nil, err
	}
	done, err := a.applyBatch(changes)
	if err != nil {
		return nil, err
	}
	out := &batchWriteOutput{mode: in.ReturnConsumedCapacity.V, unprocessed: in.without(done)}
	for i, c := range changes {
		if charged(out.mode) && done[i] {
			out.capacity.of(c.table.def.Name, "").addWrite(c)
		}
	}
	if in.ReturnItemCollectionMetrics.V == "SIZE" {
		out.collections, err = in.collections(a)
	}
	return out, err
}

func (in *BatchWriteItemInput) changes(a *request) ([]*change, error) {
	changes := make([]*change, 0, maxBatchWrites)
	for _, writes := range in.RequestItems {
		t, err := a.account.table(writes.table)
		if err != nil {
			return nil, err
		}
		for i := range writes.requests {
			w := &writes.requests[i]
			if err := w.checkKey(t); err != nil {
				return nil, err
			}
			changes = append(changes, &change{by: a, table: t, key: t.key(w.target()), next: replaceWith(w.item.Value)})
		}
	}
	keys := make([][]byte, len(changes))
	for i, c := range changes {
		keys[i] = c.key
	}
	if hasEqual(keys) {
		return nil, validationError("Provided list of item keys contains duplicates")
	}
	return changes, nil
}

// checkKey refuses what the table cannot hold; unlike PutItem, with the message for keys.
func (w *writeOne) checkKey(t *table) error {
	if w.deletes > 0 {
		return t.keys.checkKey(w.key.Value)
	}
	if !t.keys.in(w.item.Value) {
		return errKeySchema()
	}
	return t.checkItem(w.item.Value)
}

func (in *BatchWriteItemInput) collections(a *request) (map[string][]*collectionMetrics, error) {
	all := map[string][]*collectionMetrics{}
	for _, writes := range in.RequestItems {
		t, err := a.account.table(writes.table)
		if err != nil || !t.hasLocal() {
			continue
		}
		for i := range writes.requests {
			m, err := a.account.collectionMetrics(t, writes.requests[i].target())
			if err != nil {
				return nil, err
			}
			all[t.def.Name] = append(all[t.def.Name], m)
		}
	}
	return all, nil
}

func (o *batchWriteOutput) appendJSON(dst []byte) []byte {
	dst = append(dst, `{"UnprocessedItems":{`...)
	for i, t := range o.unprocessed {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = t.appendJSON(dst)
	}
	dst = append(dst, '}')
	if o.capacity != nil {
		dst = appendCapacities(dst, o.capacity, o.mode)
	}
	if len(o.collections) > 0 {
		dst = appendCollections(dst, o.collections)
	}
	return append(dst, '}')
}
