// Package access tests the authorization of every operation of a system's OpenAPI document with every kind of
// credential. The expected result follows from what the operation declares, so a new operation is tested automatically,
// and fails until its document says who may call it. docs/access.md shows the resulting table.
package access
