package cosmos

import (
	"net"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// readAccount returns the account: its regions, its consistency level, and the endpoint for further requests, which is
// the address of this request, because the client can reach that.
func (x *exchange) readAccount() *wire.Error {
	here := doc.Array(doc.Object(
		doc.Member{Name: "name", Value: doc.String(x.service.region)},
		doc.Member{Name: "databaseAccountEndpoint", Value: doc.String(x.scheme() + "://" + x.advertisedHost() + "/")},
	))
	text := func(name, value string) doc.Member { return doc.Member{Name: name, Value: doc.String(value)} }
	policy := func(low, high string, n, m float64) doc.Value {
		return doc.Object(doc.Member{Name: low, Value: doc.Number(n)}, doc.Member{Name: high, Value: doc.Number(m)})
	}
	id := accountID(x.r.Host)
	x.Out.Set("x-ms-max-media-storage-usage-mb", "2048") // Java's getDatabaseAccount needs both
	x.Out.Set("x-ms-media-storage-usage-mb", "0")
	x.Reply(http.StatusOK, doc.Object(
		text("_self", ""), text("id", id), text("_rid", id+".sql.cosmos.azure.com"), text("media", "//media/"),
		text("addresses", "//addresses/"), text("_dbs", "//dbs/"),
		doc.Member{Name: "writableLocations", Value: here},
		doc.Member{Name: "readableLocations", Value: here},
		doc.Member{Name: "enableMultipleWriteLocations", Value: doc.Bool(false)},
		doc.Member{Name: "continuousBackupEnabled", Value: doc.Bool(true)},
		doc.Member{Name: "enableNRegionSynchronousCommit", Value: doc.Bool(false)},
		doc.Member{Name: "enablePerPartitionFailoverBehavior", Value: doc.Bool(false)},
		doc.Member{Name: "userReplicationPolicy", Value: policy("minReplicaSetSize", "maxReplicasetSize", 3,
			4).With("asyncReplication", doc.Bool(false))},
		doc.Member{Name: "userConsistencyPolicy",
			Value: doc.Object(text("defaultConsistencyLevel", string(x.Account.Consistency)))},
		doc.Member{Name: "systemReplicationPolicy", Value: policy("minReplicaSetSize", "maxReplicasetSize", 3, 4)},
		doc.Member{Name: "readPolicy", Value: policy("primaryReadCoefficient", "secondaryReadCoefficient", 1, 1)},
		text("queryEngineConfiguration", queryEngine),
	))
	return nil
}

func (x *exchange) scheme() string {
	if x.r.TLS != nil {
		return "https"
	}
	return "http"
}

// advertisedHost returns the host and port of the endpoint for further requests: those of this request. If the host is
// localhost, it returns the loopback address that accepted the request, as Microsoft's emulator does.
func (x *exchange) advertisedHost() string {
	here, _ := x.r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	host, port, err := net.SplitHostPort(x.r.Host)
	if err != nil || !strings.EqualFold(host, "localhost") || here == nil || !here.IP.IsLoopback() {
		return x.r.Host
	}
	return net.JoinHostPort(here.IP.String(), port)
}

// accountID returns the name of the account: as in the service, the host up to the first dot. For an IP address it is
// localhost.
func accountID(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	if net.ParseIP(strings.Trim(host, "[]")) != nil {
		return "localhost"
	}
	name, _, _ := strings.Cut(host, ".")
	return name
}

// queryEngine is the configuration of query engines in SDKs: JSON in a string, as in the service.
const queryEngine = `{"maxSqlQueryInputLength":262144,"maxJoinsPerSqlQuery":10,"maxLogicalAndPerSqlQuery":2000,"maxLogicalOrPerSqlQuery":2000,"maxUdfRefPerSqlQuery":10,"maxInExpressionItemsCount":16000,"queryMaxInMemorySortDocumentCount":500,"maxQueryRequestTimeoutFraction":0.9,"sqlAllowNonFiniteNumbers":false,"sqlAllowAggregateFunctions":true,"sqlAllowSubQuery":true,"sqlAllowScalarSubQuery":true,"allowNewKeywords":true,"sqlAllowLike":true,"sqlAllowGroupByClause":true,"maxSpatialQueryCells":12,"spatialMaxGeometryPointCount":256,"sqlAllowTop":true,"enableSpatialIndexing":true}`
