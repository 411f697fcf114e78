package builtin

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

var itemFunctions = []Function{{"DOCUMENTID", 1, 1, documentID}}

// documentID returns the number of an item in its physical partition: the last eight bytes of its _rid, little-endian,
// as in the example on the function's page.
func documentID(_ *Env, args []doc.Value) doc.Value {
	rid, err := base64.StdEncoding.DecodeString(args[0].Field("_rid").Str())
	if err != nil || len(rid) != 16 {
		return undefined
	}
	return doc.Uint(binary.LittleEndian.Uint64(rid[8:]))
}
