// Package transfer moves items between files and databases: DynamoDB with AWS's SDK and Cosmos DB with Azure's. It
// works on the emulator, DynamoDB Local and the services alike.
package transfer
