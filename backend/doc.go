// Package backend is the HTTP server of Tabletop's systems: it creates the clients, mounts each system under its own
// path, and responds to all other requests. The configuration alone decides which database it uses.
package backend
