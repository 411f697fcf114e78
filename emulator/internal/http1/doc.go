// Package http1 serves HTTP for an emulator's ports, with less CPU time and a third of the allocations of net/http:
//
//	go test ./emulator/internal/http1 -run '^$' -bench Server -cpu 8
//
// A [Server] itself serves only plain requests of HTTP/1.1: a usual method, a path as the target, a body whose length
// the header tells, and a header that arrives whole and has nothing in it that changes how the connection is read. For
// anything else, the connection goes to an [http.Server], with all bytes of the request that were read: HTTP/2, chunked
// bodies and their trailers, Expect, Upgrade, HTTP/1.0, absolute URLs, headers that are large, slow or malformed. It
// stays there until its end.
//
// So each request is read by one of two servers, from its first byte on, and what is unusual is answered as net/http
// answers it. What this package reads itself, it reads as net/http does; [parse] refuses everything about which there
// could be a doubt. A fuzz test compares the two.
package http1
