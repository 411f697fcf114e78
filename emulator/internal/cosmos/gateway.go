package cosmos

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// An account has two gateways. The routing gateway, which SDKs in gateway mode reach, reads a path as web servers of
// old do: it decodes it until nothing is left to decode, takes \ for /, leaves off what follows a # and blanks at the
// end, and refuses control characters. Only then does it check the signature, so an item whose id it reads otherwise
// than the client meant can be created, and be found by queries, but not be addressed: 401. The compute gateway has no
// such ids. (Both as azcosmos's TestItemIdEncodingRoutingGW and TestItemIdEncodingComputeGW show them.)

// computeGateway marks a request's context as come by the compute gateway.
type computeGateway struct{}

// ComputeGateway is the service as the compute gateway has it, where every id can be addressed. The Service itself is
// the routing gateway.
func (s *Service) ComputeGateway() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), computeGateway{}, true)))
	})
}

// target is the path of a request, escaped. There are no queries in this interface: a ? behind the name of a resource
// is a part of that, for the SDK for JavaScript leaves it as it is (itemIdEncoding.spec.ts).
func target(u *url.URL) string {
	path := u.EscapedPath()
	if parts := strings.Split(strings.Trim(path, "/"), "/"); u.RawQuery == "" || len(parts)%2 == 1 {
		return path
	}
	return path + "%3F" + u.RawQuery
}

// checkPath refuses what the routing gateway takes for no path at all. It is the web server that does so, with a page
// of its own: the SDK for JavaScript finds no error in it that it could tell (itemIdEncoding.spec.ts).
func (x *exchange) checkPath() *wire.Error {
	if strings.ContainsFunc(x.Route.Link, isControl) && !x.Compute {
		return &wire.Error{Status: http.StatusBadRequest, Code: "BadRequest", Message: "The request URL is invalid.", Page: badURLPage}
	}
	return nil
}

// badURLPage is the web server's page on a URL that is none.
const badURLPage = "<!DOCTYPE html>\n<html><head><title>Bad Request</title></head>\n<body><h2>Bad Request - Invalid URL</h2>\n<hr><p>HTTP Error 400. The request URL is invalid.</p>\n</body></html>\n"

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }
