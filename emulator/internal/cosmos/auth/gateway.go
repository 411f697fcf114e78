package auth

import (
	"net/url"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
)

// gatewayLink returns the resource link as the gateway reads it, which the signature must cover. ok is false if the
// gateway would route the path to another resource.
func gatewayLink(c *operation.Call) (link string, ok bool) {
	link = c.Route.Link
	if c.ComputeGateway {
		return link, true
	}
	for _, id := range c.Route.IDs {
		if strings.ContainsAny(id, `/\`) {
			return link, false
		}
	}
	return normalizeLink(link), true
}

func normalizeLink(link string) string {
	for strings.Contains(link, "%") {
		decoded, err := url.PathUnescape(link)
		if err != nil || decoded == link {
			break
		}
		link = decoded
	}
	link, _, _ = strings.Cut(link, "#")
	return strings.TrimRight(link, " ")
}
