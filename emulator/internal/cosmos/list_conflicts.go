package cosmos

// listConflicts lists a container's conflicts. There are none: writes of one region do not conflict.
func (c *call) listConflicts() *Error { return c.replyList("Conflicts", c.container.rid, nil) }
