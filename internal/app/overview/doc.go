// Package overview renders one page with all results: requirements by target, load tests, costs, known differences and
// simulations. It reads the results from the folders in which runs of features, load profiles and simulations wrote
// them.
package overview
