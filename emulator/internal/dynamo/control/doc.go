// Package control has the operations on tables, their tags, time to live and quotas, and the transitional states of
// tables.
package control
