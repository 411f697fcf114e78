// Package access asks for every operation of a system's OpenAPI document with every kind of credential that somebody
// can show. What must come of it follows from what the operation declares, so that a new operation is in the table
// without anybody's doing, and fails there until it says who may call it. docs/access.md shows the table.
package access
