package masterkey

import "encoding/base64"

// WellKnownKey is the master key of every emulator of Cosmos DB, which Microsoft publishes and tools know.
const WellKnownKey = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="

// Parse reads a master key: base64.
func Parse(text string) ([]byte, error) { return base64.StdEncoding.DecodeString(text) }
