package globaltables

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"

// unsupportedVersion returns the error for a request to create a global table, or a replica, of version 2017.11.29.
func unsupportedVersion() error {
	return wire.ParameterError("DynamoDB global tables version 2017.11.29 is not supported. " +
		"We recommend using DynamoDB global tables version 2019.11.21, instead of version 2017.11.29 (Legacy).")
}

// notFound returns the error for a global table that does not exist, with a prefix of the operation's own.
func notFound(prefix, name string) error {
	return wire.DynamoError("GlobalTableNotFoundException", prefix+noGlobalTable(name))
}

func noGlobalTable(name string) string {
	return "Global table with name: '" + name + "' does not exist."
}
