// Package sql implements the SQL of Azure Cosmos DB for NoSQL. [Parse] parses a query, [Compile] binds it to its
// parameters, and [Program.Run] runs it over the documents of a [Source], a page at a time.
//
// A [Program] knows neither indexes nor the store. [Program.Shape] tells the caller which documents the query needs and
// in which order, so that the Source can use an index. A [State] is the position at which the next page continues.
package sql
