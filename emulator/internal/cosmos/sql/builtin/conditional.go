package builtin

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

var conditionalFunctions = []Function{
	{"CHOOSE", 2, -1, choose},
	{"IIF", 3, 3, func(_ *Env, args []doc.Value) doc.Value {
		if args[0].IsTrue() { // and nothing else is true
			return args[1]
		}
		return args[2]
	}},
}

// choose is the argument at the position of its first one, from 1; undefined beyond the ends.
func choose(_ *Env, args []doc.Value) doc.Value {
	at, ok := position(args[0])
	if !ok || at < 1 || at >= len(args) {
		return undefined
	}
	return args[at]
}
