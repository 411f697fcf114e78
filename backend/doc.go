// Package backend is the HTTP server of Tabletop's systems: it makes the clients, mounts each system below its own
// path and answers whatever no system does. Which database it speaks to is configuration alone.
package backend
