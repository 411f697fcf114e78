package cosmos

// listOffers lists the account's offers, or answers a query over them.
func (c *call) listOffers() *Error { return c.replyList("Offers", "", c.offerResources()) }
