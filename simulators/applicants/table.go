package applicants

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// searchTable examines every item, bypassing the backend: contact data is nowhere in the clear, and was sealed by the
// expected number of keys.
func (s *simulation) searchTable(ctx context.Context, e *simenv.Embedded, keys int) error {
	all, err := e.Scan(ctx, e.Backend.TablePrefix+verification.Table)
	if err != nil {
		return err
	}
	sealedBy, found := map[string]bool{}, false
	for _, item := range all {
		clear := false
		forEachString(&types.AttributeValueMemberM{Value: item}, func(text string) {
			clear = clear || s.hasContactData(text)
			if rest, ok := strings.CutPrefix(text, sealedPrefix); ok && len(rest) > keyID {
				sealedBy[rest[:keyID]] = true
			}
		})
		if clear {
			found = true
			s.ledger.ReportFault(Exposed, "the item %s has contact data in clear text", itemKey(item))
		}
	}
	if !found {
		s.ledger.CountMatch(cleanScans)
	}
	if len(sealedBy) != keys {
		s.ledger.ReportFault(sim.Changed, "contact data is encrypted with %d keys, want %d", len(sealedBy), keys)
	}
	return nil
}

const (
	sealedPrefix = "v1." // prefix of a sealed value; base64 of Tink's ciphertext follows
	keyID        = 6     // its characters that identify the key: a version byte, and most of the key's four bytes
)

// searchLeftovers looks for what must be gone: of a case that has ended, only the audit trail remains.
func (s *simulation) searchLeftovers(ctx context.Context, e *simenv.Embedded) error {
	all, err := e.Scan(ctx, e.Backend.TablePrefix+verification.Table)
	if err != nil {
		return err
	}
	found := false
	for _, item := range all {
		switch kind, _, _ := strings.Cut(itemKey(item), "#"); kind {
		case "AUDIT", "APIKEY", "KEYSET":
		default:
			found = true
			s.ledger.ReportFault(sim.Unexpected, "the item %s was not removed", itemKey(item))
		}
	}
	if !found {
		s.ledger.CountMatch(emptyScans)
	}
	return nil
}

// itemKey returns an item's key as text.
func itemKey(item map[string]types.AttributeValue) string {
	var key []string
	for _, attribute := range []string{"PK", "SK"} {
		if text, ok := item[attribute].(*types.AttributeValueMemberS); ok {
			key = append(key, text.Value)
		}
	}
	return strings.Join(key, " ")
}

// forEachString calls do for each string of a value, at any depth; binary values count as strings.
func forEachString(v types.AttributeValue, do func(string)) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		do(v.Value)
	case *types.AttributeValueMemberN:
		do(v.Value)
	case *types.AttributeValueMemberB:
		do(string(v.Value))
	case *types.AttributeValueMemberSS:
		for _, text := range v.Value {
			do(text)
		}
	case *types.AttributeValueMemberL:
		for _, member := range v.Value {
			forEachString(member, do)
		}
	case *types.AttributeValueMemberM:
		for name, member := range v.Value {
			do(name)
			forEachString(member, do)
		}
	}
}
