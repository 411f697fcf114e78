// Package history has the operations that show and restore earlier states of containers, if the account has continuous
// backup. They are not the gateway's; the web console uses them. Package pointintime does the work.
package history
