package operation

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/continuation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Account is the state and the settings of an account, which operations run on.
type Account struct {
	*engine.State
	Consistency   wire.Consistency    // the default consistency level of requests
	Throttling    bool                // rejects requests beyond the throughput of a container or one of its partitions
	Keys          [][]byte            // the master keys
	Signers       []*masterkey.Signer // one per key
	Dates         wire.Dates          // parses the dates of requests
	Continuations *continuation.Codec // encodes and decodes continuation tokens
	Scripts       *script.Engine
}

// NewAccount returns an account with a state. The keys are base64. The default consistency level is Session.
func NewAccount(state *engine.State, level wire.Consistency, keys []string) (*Account, error) {
	a := &Account{State: state, Consistency: cmp.Or(level, wire.Session)}
	if !slices.Contains(wire.Consistencies(), a.Consistency) {
		return nil, fmt.Errorf("unknown consistency level %q: use one of %v", a.Consistency, wire.Consistencies())
	}
	for _, text := range keys {
		key, err := masterkey.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("a Cosmos DB key must be base64, as tabletop and the Azure portal show it: %w", err)
		}
		a.Keys, a.Signers = append(a.Keys, key), append(a.Signers, masterkey.NewSigner(key))
	}
	a.Continuations = continuation.NewCodec(a.Keys[0])
	a.Scripts = script.New(script.Config{Now: a.Now, Random: a.Random.Next, Pool: a.Pool})
	return a, nil
}
