package cosmos

// listOffers lists the account's offers.
func (c *call) listOffers() *Error {
	c.charge = chargeMetadataRead
	c.replyFeed("Offers", "", c.offerResources())
	return nil
}
