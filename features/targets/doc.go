// Package targets opens the databases that specs, load profiles and table commands run against.
//
// A target is named on the command line and opened for one run:
//
//	embedded          the emulator, in this process (the default)
//	url=http://…      any endpoint that supports the DynamoDB protocol
//	dynamodb-local    Amazon's own emulator: a container if there is a Docker engine, else the jar with Java and Maven
//	aws               the real service, with the default credential chain; costs money
//	cosmos=https://…  any emulator of Azure Cosmos DB for NoSQL; its key is AZURE_COSMOS_KEY or the well-known one
//	azure             the real Cosmos DB at AZURE_COSMOS_ENDPOINT, with AZURE_COSMOS_KEY or the default Azure
//	                  credential; costs money
//
// Close stops everything that a target has started, and leaves no process, container or table behind.
package targets
