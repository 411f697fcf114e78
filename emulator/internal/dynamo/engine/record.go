package engine

import (
	"cmp"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// openLog opens the log of a table that has one.
func (s *Engine) openLog(t *Table) (err error) {
	var logged bool
	if t.logImages, logged = t.Def.logImages(); logged {
		t.Log, err = s.Logs.Open(t.Def.ID)
		s.ScheduleRemoval()
	}
	return err
}

// appendToLog appends the change to the table's log. A write that leaves the item as it was is not recorded.
func (c *Change) appendToLog(tx *store.Tx) error {
	if c.Table.Log == nil || c.Old != nil && c.New != nil && item.Equal(c.Old, c.New) {
		return nil
	}
	r := changelog.Record{Kind: changelog.Modify, ByService: c.isByService(), Key: c.Key[KeyPrefixLength:]}
	if c.Table.logImages.old {
		r.Old = c.Old
	}
	if c.Table.logImages.new {
		r.New = c.New
	}
	switch {
	case c.Old == nil:
		r.Kind = changelog.Insert
	case c.New == nil:
		r.Kind = changelog.Remove
	}
	if c.Table.logImages.keys && r.Old == nil && r.New == nil {
		if r.Kind == changelog.Remove {
			r.Old = c.Table.Keys.Extract(c.Old)
		} else {
			r.New = c.Table.Keys.Extract(c.New)
		}
	}
	var author [128]byte
	if c.Table.logImages.author {
		r.Author = c.appendAuthor(author[:0])
	}
	c.captured = c.capturedUnits()
	_, err := c.Table.Log.Append(tx, &r)
	return err
}

// isByService reports whether the service itself makes the change, such as the deletion of an expired item.
func (c *Change) isByService() bool {
	return c.Request == nil && c.Author == nil && c.spread != fromReplica
}

// appendAuthor appends who makes the change. It appends nothing for changes by the service itself.
func (c *Change) appendAuthor(dst []byte) []byte {
	switch {
	case c.Request != nil:
		return c.Request.AppendAuthor(dst)
	case c.arrival != nil && c.arrival.request != nil:
		return c.arrival.request.AppendAuthor(dst)
	}
	return append(dst, c.Author...)
}

// AppendAuthor appends who makes the changes of the request: the principal or, without identities, the access key.
func (r *Request) AppendAuthor(dst []byte) []byte {
	return changelog.AppendAuthor(dst, cmp.Or(r.Event.Principal, r.Event.AccessKey), r.Event.Operation)
}

// replicationRole is the path of the service-linked role with which DynamoDB writes to replicas (developer guide,
// "DynamoDB global tables security").
const replicationRole = "role/aws-service-role/replication.dynamodb.amazonaws.com/AWSServiceRoleForDynamoDBReplication"

// replicationAuthor returns who makes the changes that reach a replica later than their request, and of which several
// may arrive as one: the replication role of the table's account. The operation names the region of the write.
func (def *Definition) replicationAuthor(fromRegion string) []byte {
	return changelog.AppendAuthor(nil, "arn:aws:iam::"+def.accountID()+":"+replicationRole,
		"Replication from "+fromRegion)
}

// tickets are the tickets that a transaction holds for the logs it may write to.
type tickets []changelog.Ticket

func (w tickets) End() {
	for _, ticket := range w {
		ticket.End()
	}
}
