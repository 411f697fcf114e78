// Package query provides the operations that read many items: queries, query plans, the feed of items and the change
// feed.
//
// A query is parsed ([ParseQuery]), narrowed to parts of the hash space (scope.go), planned, with indexes or without
// (access.go), run over the items (source.go), and returned page by page (traversal.go, query_page.go).
package query
