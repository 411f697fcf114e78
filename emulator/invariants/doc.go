// Package invariants checks what must hold in the tables of DynamoDB and the containers of Cosmos DB at any moment:
// after each run of a test, after a load test, after a restart. A file describes it:
//
//	invariants:
//	  - name: the stock is never negative
//	    table: stock
//	    each: pieces >= 0
//	  - name: the sum of balances stays
//	    table: accounts
//	    sum: {of: balance, equals: 100}
//	  - name: nobody gets two reminders for one event
//	    table: reminders
//	    unique: [event, user]
//	  - name: each order has exactly one payment
//	    table: orders
//	    has: {in: payments, where: {order: id}, count: 1}
//	  - name: no order is without a customer
//	    finds: SELECT id FROM "orders" WHERE customer IS MISSING
//	  - name: no total is negative
//	    cosmos: {database: shop, container: orders}
//	    finds: SELECT c.id FROM c WHERE c.total < 0
//
// A condition of each is DynamoDB's, with names and values in place, as tabletop query --filter takes it. Further
// fields select items and compose attributes of others; see Invariant.
//
// The checks read with strong consistency. On a database that others change meanwhile, a check that reads two tables,
// or more than a page of one, can see a state that never was: let writers end first.
package invariants
