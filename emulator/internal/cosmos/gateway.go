package cosmos

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// An account has two gateways. The routing gateway, which SDKs in gateway mode use, normalizes a path like an old web
// server: it decodes it repeatedly until nothing is left to decode, treats \ as /, cuts the path at #, trims trailing
// spaces, and rejects control characters. Only then does it check the signature. An item with an id that changes in
// this process can be created, and queries find it, but requests that address it fail with 401. The compute gateway has
// no such ids. (TestItemIdEncodingRoutingGW and TestItemIdEncodingComputeGW of azcosmos show both.)

// ComputeGateway returns a handler for the compute gateway, through which every id can be addressed. The Service itself
// is the routing gateway.
func (s *Service) ComputeGateway() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, true) })
}

// RequestPath returns the escaped path of a request. The API has no query parameters: a ? after the name of a resource
// is part of the name, because the JavaScript SDK does not escape it (itemIdEncoding.spec.ts).
func RequestPath(u *url.URL) string {
	path := u.EscapedPath()
	if u.RawQuery == "" || strings.Count(strings.Trim(path, "/"), "/")%2 == 0 {
		return path
	}
	return path + "%3F" + u.RawQuery
}

// checkPath rejects paths that the routing gateway's web server rejects. The server replies with an HTML page, in which
// the JavaScript SDK finds no error code (itemIdEncoding.spec.ts).
func (x *exchange) checkPath() *wire.Error {
	if strings.ContainsFunc(x.Route.Link, isControl) && !x.ComputeGateway {
		return &wire.Error{Status: http.StatusBadRequest, Code: "BadRequest", Message: "The request URL is invalid.",
			Page: badURLPage}
	}
	return nil
}

// badURLPage is the web server's page for an invalid URL.
const badURLPage = "<!DOCTYPE html>\n<html><head><title>Bad Request</title></head>\n<body><h2>Bad Request - Invalid URL</h2>\n<hr><p>HTTP Error 400. The request URL is invalid.</p>\n</body></html>\n"

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }
