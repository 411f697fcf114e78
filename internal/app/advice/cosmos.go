package advice

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// Container is what is known of a container of Cosmos DB: by its creation or its description in the recording.
type Container struct {
	Name       string   // DATABASE/CONTAINER
	Keys       []string // paths of the partition key, such as /tenant
	Indexing   map[string]any
	Partitions int // physical; 0: unknown
}

// cosmosDB is a watcher that sees only requests to Cosmos DB.
type cosmosDB struct{ watcher }

func (c cosmosDB) see(r *Request) {
	if r.Service == recording.Cosmos {
		c.watcher.see(r)
	}
}

// container returns the container that the path of a request to Cosmos DB names, as DATABASE/CONTAINER; empty if it
// names none.
func (r *Request) container() string {
	parts := r.segments()
	if len(parts) < 4 || parts[2] != "colls" {
		return ""
	}
	return parts[1] + "/" + parts[3]
}

// document returns the id of the document that the path names; empty if it names none.
func (r *Request) document() string {
	if parts := r.segments(); len(parts) == 6 && parts[4] == "docs" {
		return parts[5]
	}
	return ""
}

// segments returns the unescaped segments of the path.
func (r *Request) segments() []string {
	parts := strings.Split(strings.Trim(r.Path, "/"), "/")
	for i, p := range parts {
		if unescaped, err := url.PathUnescape(p); err == nil {
			parts[i] = unescaped
		}
	}
	return parts
}

// partitionKey returns the partition key of a request in JSON; empty if it names none.
func (r *Request) partitionKey() string {
	if key := r.Headers["x-ms-documentdb-partitionkey"]; key != "[]" {
		return key
	}
	return ""
}

// charge returns the request units that the request consumed.
func (r *Request) charge() float64 {
	units := 0.0
	for _, c := range r.Consumed {
		units += c.Units
	}
	return units
}

// learnCosmos notes what a request tells about containers.
func (v *Review) learnCosmos(r *Request) {
	if r.Status >= 300 {
		return
	}
	switch r.Operation {
	case "CreateContainer":
		if id, _ := r.Result["id"].(string); len(r.segments()) > 1 {
			v.describeContainer(r.segments()[1]+"/"+id, r)
		}
	case "ReadContainer", "ReplaceContainer":
		v.describeContainer(r.container(), r)
	case "ReadPartitionKeyRanges":
		v.containerNamed(r.container()).Partitions = len(list(r.Result["PartitionKeyRanges"]))
	}
}

// containerNamed returns what is known of a container, to add to it.
func (v *Review) containerNamed(name string) *Container {
	c := v.Containers[name]
	if c == nil {
		c = &Container{Name: name}
		v.Containers[name] = c
	}
	return c
}

// unitsPerPartition is the throughput that a physical partition has at most, in request units a second.
const unitsPerPartition = 10000

func (v *Review) describeContainer(name string, r *Request) {
	c := v.containerNamed(name)
	c.Keys = nil
	for _, path := range list(object(r.Result["partitionKey"])["paths"]) {
		text, _ := path.(string)
		c.Keys = append(c.Keys, text)
	}
	c.Indexing = object(r.Result["indexingPolicy"])
	if n, err := strconv.Atoi(r.Headers["x-ms-offer-throughput"]); err == nil {
		c.Partitions = (n + unitsPerPartition - 1) / unitsPerPartition
	}
}
