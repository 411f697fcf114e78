package applicants

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// searchTable examines every item, bypassing the backend: contact data is nowhere in the clear, and was sealed by the
// expected number of keys.
func (o *office) searchTable(ctx context.Context, e *venue.Embedded, keys int) error {
	all, err := e.Scan(ctx, e.Backend.TablePrefix+verification.Table)
	if err != nil {
		return err
	}
	sealedBy, found := map[string]bool{}, false
	for _, item := range all {
		clear := false
		texts(&types.AttributeValueMemberM{Value: item}, func(text string) {
			clear = clear || o.inClear(text)
			if rest, ok := strings.CutPrefix(text, sealedPrefix); ok && len(rest) > keyID {
				sealedBy[rest[:keyID]] = true
			}
		})
		if clear {
			found = true
			o.ledger.Fault(Leaked, "the item %s has contact data in clear text", name(item))
		}
	}
	if !found {
		o.ledger.Found(sealed)
	}
	if len(sealedBy) != keys {
		o.ledger.Fault(sim.Changed, "contact data is encrypted with %d keys, want %d", len(sealedBy), keys)
	}
	return nil
}

const (
	sealedPrefix = "v1." // prefix of a sealed value; base64 of Tink's ciphertext follows
	keyID        = 6     // its characters that identify the key: a version byte, and most of the key's four bytes
)

// searchRemains looks for what must be gone: of a case that has ended, only the audit trail remains.
func (o *office) searchRemains(ctx context.Context, e *venue.Embedded) error {
	all, err := e.Scan(ctx, e.Backend.TablePrefix+verification.Table)
	if err != nil {
		return err
	}
	found := false
	for _, item := range all {
		switch kind, _, _ := strings.Cut(name(item), "#"); kind {
		case "AUDIT", "APIKEY", "KEYSET":
		default:
			found = true
			o.ledger.Fault(sim.Foreign, "the item %s was not removed", name(item))
		}
	}
	if !found {
		o.ledger.Found(emptied)
	}
	return nil
}

// name returns an item's key as text.
func name(item map[string]types.AttributeValue) string {
	var key []string
	for _, attribute := range []string{"PK", "SK"} {
		if text, ok := item[attribute].(*types.AttributeValueMemberS); ok {
			key = append(key, text.Value)
		}
	}
	return strings.Join(key, " ")
}

// texts calls with for each string of a value, at any depth; binary values count as strings.
func texts(v types.AttributeValue, with func(string)) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		with(v.Value)
	case *types.AttributeValueMemberN:
		with(v.Value)
	case *types.AttributeValueMemberB:
		with(string(v.Value))
	case *types.AttributeValueMemberSS:
		for _, text := range v.Value {
			with(text)
		}
	case *types.AttributeValueMemberL:
		for _, member := range v.Value {
			texts(member, with)
		}
	case *types.AttributeValueMemberM:
		for name, member := range v.Value {
			with(name)
			texts(member, with)
		}
	}
}
