// Package processgroup ends a command together with what it has started, where the system has process groups.
package processgroup
