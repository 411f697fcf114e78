package workload

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/tools/performance/wire"
)

// Cosmos DB's containers: items to read, of 1 KB in 10 partitions, and one that gets new items.
const (
	cosmosDatabase   = "performance"
	readContainer    = "items"
	addedContainer   = "added"
	cosmosItems      = 1000
	cosmosPartitions = 10
	cosmosFiller     = 880 // bytes

	// wellKnownKey is the key of Microsoft's emulator, from its documentation.
	wellKnownKey = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
)

// CosmosItem returns an item of roughly 1 KB.
func CosmosItem(id, pk, at string) string {
	return `{"id":"` + id + `","pk":"` + pk + `","n":1,"at":"` + at + `","text":"` +
		strings.Repeat("An item of one kilobyte. ", 40)[:cosmosFiller] + `"}`
}

// CosmosDB returns Cosmos DB's workloads, over TLS as its SDKs use it. Each request is signed; signatures are computed
// before the measurement.
func CosmosDB() *Service {
	return &Service{
		Name:      "Cosmos DB",
		TLS:       true,
		Workloads: cosmosWorkloads(),
		ready:     func(host string) []byte { return cosmosRequest(host, "GET", "", "", "", "", nil) },
		setUp:     (*Client).setUpContainers,
		reset:     func(c *Client) error { return c.makeContainer(addedContainer) },
	}
}

func cosmosWorkloads() []*Workload {
	limits := map[byte]uint32{'A': cosmosPartitions}
	return []*Workload{
		{Name: "cosmos-read", Batch: 1000, Status: http.StatusOK, MinLength: cosmosFiller, check: accept,
			requests: func(host string) (all [][]byte) {
				for i := range cosmosItems {
					all = append(all, readDocument(host, i))
				}
				return all
			}},
		{Name: "cosmos-create", Batch: 800, Status: http.StatusCreated, MinLength: cosmosFiller, check: accept,
			requests: func(host string) (all [][]byte) {
				for i := range cosmosPartitions {
					all = append(all, createDocument(host, addedContainer, "i"+wire.Slot(wire.Unused), cosmosPartition(i),
						digits(0)))
				}
				return all
			}},
		{Name: "cosmos-query20", Batch: 400, Status: http.StatusOK, MinLength: 20 * cosmosFiller, limits: limits,
			check: hasDocuments, requests: func(host string) [][]byte {
				return [][]byte{queryDocuments(host, "p"+wire.Slot('A'))}
			}},
	}
}

func cosmosPartition(i int) string { return "p" + digits(i%cosmosPartitions) }

func readDocument(host string, i int) []byte {
	link := containerLink(readContainer) + "/docs/i" + digits(i)
	return cosmosRequest(host, "GET", "/"+link, "docs", link, "",
		[]string{partitionHeader, `["` + cosmosPartition(i) + `"]`})
}

func createDocument(host, container, id, pk, at string) []byte {
	link := containerLink(container)
	return cosmosRequest(host, "POST", "/"+link+"/docs", "docs", link, CosmosItem(id, pk, at),
		[]string{partitionHeader, `["` + pk + `"]`})
}

func queryDocuments(host, pk string) []byte {
	link := containerLink(readContainer)
	return cosmosRequest(host, "POST", "/"+link+"/docs", "docs", link,
		`{"query":"SELECT * FROM c ORDER BY c.at DESC","parameters":[]}`,
		[]string{partitionHeader, `["` + pk + `"]`, "x-ms-documentdb-isquery", "True", "x-ms-max-item-count", "20",
			"Content-Type", "application/query+json"})
}

const partitionHeader = "x-ms-documentdb-partitionkey"

func containerLink(container string) string { return "dbs/" + cosmosDatabase + "/colls/" + container }

// cosmosRequest returns a signed request in wire format, which is valid for a quarter of an hour. headers are names and
// values in turn.
func cosmosRequest(host, method, path, kind, link, body string, headers []string) []byte {
	date := time.Now().UTC().Format(http.TimeFormat)
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s /%s HTTP/1.1\r\nHost: %s\r\nx-ms-version: 2020-07-15\r\nx-ms-date: %s\r\nAuthorization: %s\r\n",
		method, strings.TrimPrefix(path, "/"), host, date, cosmosSignature(method, kind, link, date))
	for i := 0; i < len(headers); i += 2 {
		b.WriteString(headers[i] + ": " + headers[i+1] + "\r\n")
	}
	b.WriteString("Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body)
	return b.Bytes()
}

func cosmosSignature(method, kind, link, date string) string {
	key, err := base64.StdEncoding.DecodeString(wellKnownKey)
	if err != nil {
		return ""
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(strings.ToLower(method) + "\n" + kind + "\n" + link + "\n" + strings.ToLower(date) + "\n\n"))
	return url.QueryEscape("type=master&ver=1.0&sig=" + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

// hasDocuments checks that a page has its 20 items, the newest first.
func hasDocuments(body []byte) error {
	if n := bytes.Count(body, []byte(`"at":`)); n != 20 {
		return fmt.Errorf("%d items, not 20", n)
	}
	if newest := digits(cosmosItems/cosmosPartitions - 1); !bytes.Contains(body, []byte(newest)) {
		return fmt.Errorf("the newest item, %s, is missing", newest)
	}
	return nil
}

// setUpContainers makes the containers, and the items that workloads read.
func (c *Client) setUpContainers() error {
	_, err := c.call(cosmosRequest(c.Addr, "POST", "dbs", "dbs", "", `{"id":"`+cosmosDatabase+`"}`, nil), 201)
	if err != nil {
		return fmt.Errorf("create database: %w", err)
	}
	for _, name := range []string{readContainer, addedContainer} {
		if err := c.makeContainer(name); err != nil {
			return err
		}
	}
	var group errgroup.Group
	for first := range fillConnections {
		group.Go(func() error {
			conn := c.Conn()
			defer conn.Close()
			for i := first; i < cosmosItems; i += fillConnections {
				r := createDocument(c.Addr, readContainer, "i"+digits(i), cosmosPartition(i), digits(i/cosmosPartitions))
				if status, body, err := conn.Do(r); err != nil || status != http.StatusCreated {
					return fmt.Errorf("create item: status %d: %.200s %w", status, body, err)
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// makeContainer makes a container, in place of the one with its name if there is one.
func (c *Client) makeContainer(name string) error {
	link := containerLink(name)
	_, _ = c.call(cosmosRequest(c.Addr, "DELETE", link, "colls", link, "", nil), http.StatusNoContent)
	database := "dbs/" + cosmosDatabase
	_, err := c.call(cosmosRequest(c.Addr, "POST", database+"/colls", "colls", database,
		`{"id":"`+name+`","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`, nil), http.StatusCreated)
	if err != nil {
		err = fmt.Errorf("create container %s: %w", name, err)
	}
	return err
}
