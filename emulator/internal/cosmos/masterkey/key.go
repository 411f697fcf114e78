package masterkey

import "encoding/base64"

// WellKnownKey is the master key of every Cosmos DB emulator. Microsoft publishes it, and tools know it.
const WellKnownKey = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="

// Parse decodes a master key from base64.
func Parse(text string) ([]byte, error) { return base64.StdEncoding.DecodeString(text) }
