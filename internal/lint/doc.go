// Package lint tests the project's rules for its own source: the imports allowed between packages, and the measurable
// part of the code style. It has only tests.
package lint
