// Package data has the operations on items, one in a file of its name: an input that decodes and checks itself, a
// function that runs it, and an output that writes itself.
package data
