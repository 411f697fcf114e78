// Package admin is the HTTP API that commands an emulator: its clock, its state, its recording and whatever else a
// topic adds. It is below /_tabletop/, described by /_tabletop/openapi.json and, for people, by /_tabletop/docs.
//
// A topic is one file and one type: a small interface of what it commands, and Routes, which registers its operations
// by add. The emulator lists its topics in New; nothing is built before the first request, so that an emulator which
// nobody commands starts as fast as without.
//
// Every request passes a Guard first: whoever commands the emulator must be on this machine, or allowed by name, and no
// web page of another origin can do it through a browser.
package admin
