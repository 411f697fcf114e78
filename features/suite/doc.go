// Package suite runs a team's own feature files as a Go test: scenarios about its own tables and code, with the generic
// steps of docs/steps.md and any steps that the team adds.
//
//	//go:embed *.feature
//	var files embed.FS
//
//	func TestSpecs(t *testing.T) {
//		suite.Run(t, files, suite.Options{})
//	}
//
// docs/specs-for-your-tables.md is the tutorial, and examples/specs is a complete module.
package suite
