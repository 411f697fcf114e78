// Package naive evaluates queries of Azure Cosmos DB for NoSQL as simply as possible, for tests: it walks the syntax
// tree over all documents at once, without plans, indexes or pages, clause by clause as the documentation describes
// them. It shares no evaluation code with package sql. Only tests import it.
//
// It also generates random queries of the grammar, and random documents for them.
package naive
