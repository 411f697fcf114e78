// Package floor is the yardstick: a bare net/http handler that reads each request and responds with bytes of the right
// size. It is the least that a server can do with Go's standard library. With a folder, it also keeps each write there.
package floor

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/selfsigned"
	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// ServeDynamoDB responds to DynamoDB's requests over HTTP until it fails. Before it responds to a write, the request's
// body is on the disk of the folder, unless that is "".
func ServeDynamoDB(addr, folder string) error {
	log, err := openLog(folder)
	if err != nil {
		return err
	}
	item := "{" + workload.DynamoDBItem("p#0000000001", "2026-01-01T00:00:00Z#0000000001", "0000000001") + "}"
	items := func(n int) string {
		return fmt.Sprintf(`{"Count":%d,"Items":[%s%s]}`, n, strings.Repeat(item+",", n-1), item)
	}
	responses := map[string]string{"GetItem": `{"Item":` + item + `}`, "UpdateItem": `{"Attributes":` + item + `}`,
		"Query": items(20), "Scan": items(26)}
	return http.ListenAndServe(addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		if err := keep(log, operation, r.Body); err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header()["Content-Type"] = []string{"application/x-amz-json-1.0"}
		_, _ = io.WriteString(w, cmp.Or(responses[operation], "{}"))
	}))
}

// openLog opens the log in a folder; none if the folder is "".
func openLog(folder string) (*syncedLog, error) {
	if folder == "" {
		return nil, nil
	}
	return openSyncedLog(folder)
}

// keep reads a request's body, and writes that of a write to the log, if there is one.
func keep(log *syncedLog, operation string, body io.Reader) error {
	if log == nil || operation == "GetItem" || operation == "Query" || operation == "Scan" {
		_, err := io.Copy(io.Discard, body)
		return err
	}
	content, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	return log.append(content)
}

// ServeCosmosDB responds to Cosmos DB's requests over HTTPS until it fails.
func ServeCosmosDB(addr string) error {
	pem, err := selfsigned.New(time.Now())
	if err != nil {
		return err
	}
	certificate, err := pem.TLSCertificate()
	if err != nil {
		return err
	}
	item := workload.CosmosItem("i0000000001", "p0000000001", "0000000001")
	page := `{"Documents":[` + strings.Repeat(item+",", 19) + item + `],"_count":20}`
	s := &http.Server{Addr: addr, TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header()["Content-Type"] = []string{"application/json"}
			response := item
			if r.Header.Get("x-ms-documentdb-isquery") != "" {
				response = page
			} else if r.Method == http.MethodPost {
				w.WriteHeader(http.StatusCreated)
			}
			_, _ = io.WriteString(w, response)
		})}
	return s.ListenAndServeTLS("", "")
}
