package emulator

import (
	"encoding/json"
	"encoding/xml"
	"net"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/webguard"
)

// webGuard returns the guard that refuses requests of web pages that the user visits. The clouds' own host names are
// accepted, because a proxy or a hosts file may direct them here.
func (e *Emulator) webGuard(o options) webguard.Guard {
	names := append(append(o.listeningHosts(), o.trustedHosts...), o.adminHosts...)
	return webguard.Guard{TrustedHosts: names, CloudDomains: []string{"amazonaws.com", "api.aws", "documents.azure.com"}}
}

// listeningHosts returns the hosts that the emulator listens on, as the options name them.
func (o *options) listeningHosts() (hosts []string) {
	for _, addr := range []string{o.addr, o.cosmos.httpsAddr, o.cosmos.httpAddr, o.cosmos.computeAddr} {
		if host, _, err := net.SplitHostPort(addr); err == nil && host != "" {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// refuseForAWS refuses a web page's request to one of AWS's services, in JSON or, for the query protocol, in XML.
func refuseForAWS(w http.ResponseWriter, r *http.Request, reason string) {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		type failure struct{ Type, Code, Message string }
		body, _ := xml.Marshal(struct {
			XMLName xml.Name `xml:"ErrorResponse"`
			Error   failure
		}{Error: failure{"Sender", "AccessDenied", reason}})
		refuse(w, "text/xml", body)
		return
	}
	body, _ := json.Marshal(map[string]string{"__type": "com.amazon.coral.service#AccessDeniedException",
		"Message": reason})
	refuse(w, "application/x-amz-json-1.0", body)
}

// refuseForCosmos refuses a web page's request to Cosmos DB.
func refuseForCosmos(w http.ResponseWriter, _ *http.Request, reason string) {
	body, _ := json.Marshal(map[string]string{"code": "Forbidden", "message": reason})
	refuse(w, "application/json", body)
}

func refuse(w http.ResponseWriter, kind string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusForbidden)
	_, _ = w.Write(body) // a client that does not read the response does not need it
}
