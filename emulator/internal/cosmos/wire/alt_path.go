package wire

import (
	"net/url"
	"strings"
)

// HeaderAltContentPath is the header with the path, by names, of the resource that owns the response's.
const HeaderAltContentPath = "x-ms-alt-content-path"

// AltContentPath returns the value of [HeaderAltContentPath] for a container, or for a database if container is empty.
// Names are escaped, with %20 for a space: a header is ASCII, and the SDK for Java decodes the value with URLDecoder,
// which fails for a name such as "50% off" and would make a space of "+". Source: HttpUtils.unescape of azure-cosmos
// 4.79.0 for Java.
func AltContentPath(database, container string) string {
	path := "dbs/" + escapeName(database)
	if container != "" {
		path += "/colls/" + escapeName(container)
	}
	return path
}

func escapeName(name string) string { return strings.ReplaceAll(url.QueryEscape(name), "+", "%20") }
