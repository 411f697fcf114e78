package webconsole

import (
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// overview is what a person needs to know to use the emulator.
type overview struct {
	Version    string                    `json:"version"`
	DynamoDB   dynamoConnection          `json:"dynamodb"`
	Cosmos     *control.CosmosConnection `json:"cosmos"` // null: off
	DataFolder string                    `json:"dataFolder"`
	Seed       uint64                    `json:"seed"`
	Now        time.Time                 `json:"now"`        // by the emulator's clock
	Extensions []string                  `json:"extensions"` // names of the further parts of the API
}

// dynamoConnection is what a client of DynamoDB needs. With identities, AccessKeyID is that of the user who has signed
// in, without its secret; both are empty if nobody has.
type dynamoConnection struct {
	control.DynamoDBConnection
	AccessKeyID     string `json:"accessKeyId"`
	SecretAccessKey string `json:"secretAccessKey"`
	// Scopes are the access keys and regions that have tables, if they are isolated.
	Scopes []scope `json:"scopes"`
}

// serveOverview describes the emulator and how clients connect to it.
func (c *console) serveOverview(w http.ResponseWriter, r *http.Request) {
	if !isRead(r) {
		refuseMethod(w, http.MethodGet, http.MethodHead)
		return
	}
	about, connections := c.About(), c.Connections()
	scopes := c.scopes(connections.DynamoDB)
	key, _ := c.key(r, anyKey) // empty if nobody has signed in
	if c.identified() {
		key.Secret = ""
	}
	writeJSON(w, overview{
		Version: c.Version, DynamoDB: dynamoConnection{connections.DynamoDB, key.ID, key.Secret, scopes},
		Cosmos: connections.Cosmos, DataFolder: about.Data, Seed: about.Seed, Now: c.Clock.Now().UTC(),
		Extensions: c.extensionNames(),
	})
}
