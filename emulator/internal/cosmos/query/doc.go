// Package query has the operations that read many items: queries, their plans, the feed of items and the change feed.
//
// A query is read ([DocumentQuery]), narrowed to parts of the hash space (scope.go), given a way to its items by an
// index or without one (access.go), run over them (source.go), and answered page by page (Traversal.Go, query_page.go).
package query
