package cosmos

// listOffers lists the account's offers, or answers a query over them.
func listOffers(c *call) *Error { return c.replyList("Offers", "", c.offerResources()) }
