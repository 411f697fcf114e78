// Package lazyregexp compiles regular expressions on their first use. A program that starts in milliseconds should not
// spend some of them on expressions that most runs never need.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regular expression that is compiled on its first use. It may be used concurrently.
type Regexp struct {
	pattern  string
	compiled func() *regexp.Regexp
}

// inTest reports whether this program is a test, without the package testing, which no program should link.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns the regular expression of a pattern. In a test it is compiled at once, so that a wrong pattern panics in
// every test of the package that declares it, and not on its first use.
func New(pattern string) *Regexp {
	r := &Regexp{pattern, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })}
	if inTest {
		r.compiled()
	}
	return r
}

// String returns the pattern.
func (r *Regexp) String() string { return r.pattern }

// Match is regexp.Regexp.Match.
func (r *Regexp) Match(b []byte) bool { return r.compiled().Match(b) }

// MatchString is regexp.Regexp.MatchString.
func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

// FindString is regexp.Regexp.FindString.
func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringIndex is regexp.Regexp.FindStringIndex.
func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

// FindStringSubmatch is regexp.Regexp.FindStringSubmatch.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindAllStringSubmatch is regexp.Regexp.FindAllStringSubmatch without a limit.
func (r *Regexp) FindAllStringSubmatch(s string) [][]string {
	return r.compiled().FindAllStringSubmatch(s, -1)
}

// ReplaceAllString is regexp.Regexp.ReplaceAllString.
func (r *Regexp) ReplaceAllString(src, replacement string) string {
	return r.compiled().ReplaceAllString(src, replacement)
}

// ReplaceAllStringFunc is regexp.Regexp.ReplaceAllStringFunc.
func (r *Regexp) ReplaceAllStringFunc(src string, replacement func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(src, replacement)
}
