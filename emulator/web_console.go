package emulator

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// Paths of Microsoft's Cosmos DB emulator: its data explorer, whose place the console takes, and its certificate.
const (
	explorerPath    = "/_explorer"
	certificatePath = explorerPath + "/emulator.pem"
)

// toConsole redirects a browser to the web console.
var toConsole = http.RedirectHandler(control.ConsolePath, http.StatusFound)

// browserType is a media type that every browser accepts when it opens a page. Accepting text/html is no sign of a
// browser: Java's HttpURLConnection does by default, and so do the health checks of Testcontainers.
const browserType = "application/xhtml+xml"

// isBrowserAtRoot reports whether a request opens a port's root in a browser.
func isBrowserAtRoot(r *http.Request) bool {
	return (r.URL.Path == "/" || r.URL.Path == "") && (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		strings.Contains(r.Header.Get("Accept"), browserType)
}

// consoleHandler returns the handler of a path that begins with control.Path.
func consoleHandler(c control.Console, r *http.Request) http.Handler {
	path := r.URL.Path
	isWeb := path == control.Path || path == control.Path+"/" || path+"/" == control.ConsolePath ||
		strings.HasPrefix(path, control.ConsolePath)
	if c.Web != nil && isWeb {
		return c.Web
	}
	return c.Admin
}

// withConsole adds the web console and the admin API to a handler of Cosmos DB, for those whom the guard of its port
// admits.
func withConsole(h http.Handler, c control.Console, guard control.Guard) http.Handler {
	if c.Web == nil {
		return h
	}
	c.Web, c.Admin = guard.Wrap(c.Web), guard.Wrap(c.Admin)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case strings.HasPrefix(path, control.Path):
			consoleHandler(c, r).ServeHTTP(w, r)
		case isBrowserAtRoot(r), path == explorerPath, path == explorerPath+"/", path == explorerPath+"/index.html":
			toConsole.ServeHTTP(w, r)
		default:
			h.ServeHTTP(w, r)
		}
	})
}

// withCertificate adds the path of the certificate to a handler of Cosmos DB.
func (d *cosmosServer) withCertificate(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
		if r.URL.Path != certificatePath || !isRead || d.https == nil {
			h.ServeHTTP(w, r)
			return
		}
		pem, err := d.pem()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/x-pem-file")
		_, _ = w.Write(pem.Certificate) // fails only if the client has left
	})
}

// cosmosForConsole returns the handler of the console's requests to Cosmos DB, or nil if it is off.
func (e *Emulator) cosmosForConsole() http.Handler {
	if e.CosmosURL() == "" {
		return nil
	}
	return e.cosmos.service.SignedGateway()
}

// cosmosHistory returns the handler of earlier states of containers, or nil if Cosmos DB is off.
func (e *Emulator) cosmosHistory() http.Handler {
	if e.CosmosURL() == "" {
		return nil
	}
	return e.cosmos.service.History()
}

// connections returns what clients need to connect.
func (e *Emulator) connections(o options) control.Connections {
	dynamo := control.DynamoDBConnection{Endpoint: e.DynamoDBURL(),
		Region: cmp.Or(e.identity.Region(), accounts.DefaultRegion), AccountID: e.identity.Account(), Isolated: o.isolate}
	dynamo.Regions = []string{dynamo.Region}
	if e.identity.Region() == "" {
		others := slices.DeleteFunc(slices.Clone(o.regions), func(r string) bool { return r == dynamo.Region })
		dynamo.Regions = append(dynamo.Regions, others...)
	}
	return control.Connections{DynamoDB: dynamo, Cosmos: e.cosmosConnection()}
}

// cosmosConnection returns what clients of Cosmos DB need, or nil if it is off.
func (e *Emulator) cosmosConnection() *control.CosmosConnection {
	endpoint := e.CosmosURL()
	if endpoint == "" {
		return nil
	}
	c := &control.CosmosConnection{Endpoint: endpoint, Key: e.CosmosPrimaryKey(),
		ConnectionString: "AccountEndpoint=" + endpoint + ";AccountKey=" + e.CosmosPrimaryKey() + ";"}
	if pem, err := e.CosmosCertificate(); err == nil && e.cosmos.https != nil {
		c.CertificatePEM, c.CertificatePath = string(pem), certificatePath
	}
	return c
}
