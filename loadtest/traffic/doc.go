// Package traffic makes the requests of load tests. A Subject is a system in one run: who is there before, what is
// asked, what its answers say, and what is measured of it alone, such as whether what was acknowledged is there. The
// files of a system begin with its name; what a mix can ask of it is in package profile.
package traffic
