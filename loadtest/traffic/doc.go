// Package traffic makes the requests of load tests. A Subject is a system in one run: it creates the population, makes
// the requests, checks the responses, and measures what only this system has, such as whether everything acknowledged
// is stored. A system's files begin with its name. The requests that a mix can name are in package profile.
package traffic
