package inflight

import "net/http"

// ProgressOf returns the function that takes the progress of a request whose response w writes, in items. It does
// nothing unless w, or a writer that it wraps, has a method Progress.
func ProgressOf(w http.ResponseWriter) func(items int64) {
	for {
		switch at := w.(type) {
		case interface{ Progress(items int64) }:
			return at.Progress
		case interface{ Unwrap() http.ResponseWriter }:
			w = at.Unwrap()
		default:
			return func(int64) {}
		}
	}
}
