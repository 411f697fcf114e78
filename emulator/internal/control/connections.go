package control

// Connections is what clients need to connect to an emulator.
type Connections struct {
	DynamoDB DynamoDBConnection
	Cosmos   *CosmosConnection // nil: Cosmos DB is off
}

// DynamoDBConnection is what a client of DynamoDB needs, besides its credentials.
type DynamoDBConnection struct {
	Endpoint  string   `json:"endpoint"` // such as http://127.0.0.1:8000
	Region    string   `json:"region"`   // the default one
	Regions   []string `json:"regions"`  // with separate tables, the default one first; any other region has its tables
	AccountID string   `json:"accountId"`
	Isolated  bool     `json:"isolated"` // each access key has tables of its own in each region
}

// CosmosConnection is what a client of Cosmos DB needs.
type CosmosConnection struct {
	Endpoint         string `json:"endpoint"` // such as https://127.0.0.1:8081/
	Key              string `json:"key"`      // the first master key, in base64
	ConnectionString string `json:"connectionString"`
	CertificatePEM   string `json:"certificatePEM"`  // empty if nothing answers over https
	CertificatePath  string `json:"certificatePath"` // of the certificate, at Endpoint; empty as CertificatePEM
}
