// Package scripts runs the stored procedures and triggers of a container. Their writes are part of the transaction of
// the request.
package scripts
