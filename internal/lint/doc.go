// Package lint holds, as tests, what the project asks of its own source: the walls between packages and the measurable
// part of the house style. It has no code of its own.
package lint
