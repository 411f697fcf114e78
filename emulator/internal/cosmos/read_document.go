package cosmos

import "net/http"

// readDocument reads an item by its partition key and id.
func readDocument(c *call) *Error {
	key, err := c.partitionKey()
	if err != nil {
		return err
	}
	if err := c.chooseReplica(); err != nil {
		return err
	}
	def := c.container.definition.Load()
	epk := def.key.EPK(key)
	if err := c.admit(epk); err != nil {
		return err
	}
	lsn := c.replicaLSN()
	now, living := c.account.now().Unix(), false
	c.charge = c.readCost(chargeRead(0))
	found, problem := c.point(c.container.identityKey(epk, key, c.itemID()), func(i *item) error {
		if living = !i.expired(def.defaultTTL, now); living {
			c.answerRead(i, max(lsn, i.lsn))
		}
		return nil
	})
	if problem != nil {
		return c.internal(problem)
	}
	if !found || !living {
		c.setPartitionHeaders(epk, lsn)
		return notFound(c.itemID())
	}
	return nil
}

// answerRead answers an item, or that the client has it.
func (c *call) answerRead(i *item, lsn uint64) {
	c.charge = c.readCost(chargeRead(i.size()))
	c.setItemHeaders(i, lsn)
	if c.header("If-None-Match") != "" && c.unchanged(i.etag.ETag()) {
		c.out.etag = i.etag.ETag()
		c.replyNothing(http.StatusNotModified)
		return
	}
	c.replyItem(http.StatusOK, i)
}
