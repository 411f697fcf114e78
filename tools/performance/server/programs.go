package server

import "github.com/tabletop-db/tabletop/tools/performance/workload"

// Emulators returns how to start tabletop-emulator for DynamoDB and for Cosmos DB, each in a process of its own.
func Emulators(name, binary string) []*Program {
	dynamo := []string{binary, "--quiet", "--dynamodb-addr", "127.0.0.1:{port}", "--cosmos-addr", ""}
	cosmos := []string{binary, "--quiet", "--dynamodb-addr", "127.0.0.1:0", "--cosmos-addr", "127.0.0.1:{port}"}
	return []*Program{
		{Name: name, Service: workload.DynamoDB, Memory: dynamo, Durable: append(dynamo[:len(dynamo):len(dynamo)], "--data",
			"{data}")},
		{Name: name, Service: workload.CosmosDB, Memory: cosmos},
	}
}
