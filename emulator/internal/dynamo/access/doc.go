// Package access asks policies whether a request may do what it wants, and has the operations on resource policies.
package access
