package builtin

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

var conditionalFunctions = []Function{
	{"CHOOSE", 2, -1, choose},
	{"IIF", 3, 3, func(_ *Env, args []doc.Value) doc.Value {
		if args[0].IsTrue() { // only the boolean true is true
			return args[1]
		}
		return args[2]
	}},
}

// choose returns the argument at the position in its first argument, from 1; undefined if out of range.
func choose(_ *Env, args []doc.Value) doc.Value {
	at, ok := position(args[0])
	if !ok || at < 1 || at >= len(args) {
		return undefined
	}
	return args[at]
}
