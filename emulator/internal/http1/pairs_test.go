package http1

import "net/http"

// answerWithPairs responds with fields that are names and values in turn, if the path is one of those that name it.
func answerWithPairs(w http.ResponseWriter, path string) bool {
	switch path {
	case "/pairs":
		writeHead(w, http.StatusCreated, "Date", "Thu, 01 Jan 1970 00:00:00 GMT", "x-lower", " a\r\nb\t", "x-empty", "",
			"Content-Type", "text/x", "Content-Length", "4")
		_, _ = w.Write([]byte("body"))
	case "/pairs-204":
		writeHead(w, http.StatusNoContent, "Date", "Thu, 01 Jan 1970 00:00:00 GMT", "Content-Length", "4")
	case "/pairs-close":
		w.Header().Set("Date", "Thu, 01 Jan 1970 00:00:00 GMT")
		writeHead(w, http.StatusOK, "Connection", "close")
		_, _ = w.Write([]byte("<html>"))
	default:
		return false
	}
	return true
}

// writeHead begins a response: with WriteHead if the writer is this package's, and otherwise with its Header.
func writeHead(w http.ResponseWriter, status int, fields ...string) {
	if direct, ok := w.(*response); ok {
		direct.WriteHead(status, fields)
		return
	}
	for i := 0; i < len(fields); i += 2 {
		w.Header()[fields[i]] = fields[i+1 : i+2]
	}
	w.WriteHeader(status)
}
