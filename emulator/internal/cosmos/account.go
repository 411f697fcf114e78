package cosmos

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/continuation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
)

// account is what operations run on: the state of an account, and its settings.
type account struct {
	*state
	consistency Consistency         // the default of requests
	throttling  bool                // refuses what is beyond the throughput of a container or of one of its physical partitions
	keys        [][]byte            // the master keys
	signers     []*signer           // of the keys
	pages       *continuation.Codec // of continuation tokens
	scripts     *script.Engine
}

// newAccount makes an account of its state. The keys are in base64; without a level, consistency is Session.
func newAccount(held *state, level Consistency, keys []string) (*account, error) {
	a := &account{state: held, consistency: cmp.Or(level, Session)}
	if !slices.Contains(Consistencies(), a.consistency) {
		return nil, fmt.Errorf("there is no consistency level %q: use one of %v", a.consistency, Consistencies())
	}
	for _, text := range keys {
		key, err := ParseKey(text)
		if err != nil {
			return nil, fmt.Errorf("a key of Cosmos DB has to be base64, as tabletop and the portal show it: %w", err)
		}
		a.keys, a.signers = append(a.keys, key), append(a.signers, newSigner(key))
	}
	a.pages = continuation.NewCodec(a.keys[0])
	a.scripts = script.New(script.Config{Now: a.now, Random: a.random.Next, Pool: a.pool})
	return a, nil
}
