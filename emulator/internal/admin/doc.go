// Package admin is the HTTP API that controls an emulator: its clock, its state, its recording and whatever else a
// topic adds. Its paths are under /_tabletop/. It is described by /_tabletop/openapi.json and, for people, by
// /_tabletop/docs.
//
// A topic is one file and one type: a small interface of what it controls, and Routes, which registers its operations
// with add. The emulator lists its topics in New. Nothing is built before the first request, so that an unused API does
// not slow down an emulator's start.
//
// Every request passes a Guard first: a client must be on this machine, or use an allowed host name, and no web page of
// another origin can use the API through a browser.
package admin
