// Package naive evaluates queries of Azure Cosmos DB for NoSQL as simply as can be: it walks the syntax tree over all
// documents at once, with no plan, no index and no paging, as the documentation describes each clause. Tests compare
// the language with it; nothing else imports it. It shares no code of evaluation with package sql.
//
// It also makes random queries of the grammar, and random documents for them.
package naive
