// Package control has the control-plane operations on tables, tags, time to live and quotas, and the transitional
// states of tables ([Transition]).
package control
