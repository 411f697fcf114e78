package inflight

import (
	"net/http"
	"slices"
)

// headWriter is a response writer that takes fields without a map. The emulator's own HTTP server has one.
type headWriter interface {
	WriteHead(status int, fields []string)
}

// WriteHead begins a response with a status and fields, which are names and values in turn. It is like setting them in
// the writer's Header and calling WriteHeader, but a server that can do without takes no map. The names must be tokens,
// each only once and in none of Header's.
func WriteHead(w http.ResponseWriter, status int, fields []string) {
	if direct, ok := w.(headWriter); ok {
		direct.WriteHead(status, fields)
		return
	}
	h := w.Header()
	kept := slices.Clone(fields) // the writer may send them later
	for i := 0; i+1 < len(kept); i += 2 {
		h[kept[i]] = kept[i+1 : i+2 : i+2]
	}
	w.WriteHeader(status)
}

// WriteHead begins a response, as the function of this name does.
func (a *response) WriteHead(status int, fields []string) {
	a.wrote = true
	WriteHead(a.ResponseWriter, status, fields)
}
