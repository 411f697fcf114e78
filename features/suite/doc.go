// Package suite runs a team's own feature files as a Go test: scenarios about its own tables and its own code, in the
// generic sentences of docs/steps.md and in whatever sentences the team adds.
//
//	//go:embed *.feature
//	var files embed.FS
//
//	func TestSpecs(t *testing.T) {
//		suite.Run(t, files, suite.Options{})
//	}
//
// docs/specs-for-your-tables.md is the tutorial, and examples/specs a whole module.
package suite
