package transfer

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// pageSize is the number of jobs in a page without a limit (aws-controllers-k8s/dynamodb-controller, 2026-10).
const pageSize = 10

// list returns a page of the jobs that match, the newest first, and the token of the next one.
func list[T any, P described[T]](req *engine.Request, all map[string]*T, kind string, limit *int32, token *string,
	match func(*T) bool) (found []*T, next string, err error) {
	if err := req.Budget().Step(engine.SortStepsPerName * len(all)); err != nil {
		return nil, "", err
	}
	horizon := req.Engine.Clock.Now().Add(-history)
	for _, one := range all {
		if match(one) && P(one).header().started().After(horizon) {
			found = append(found, one)
		}
	}
	slices.SortFunc(found, func(a, b *T) int { return cmp.Compare(P(b).header().ID, P(a).header().ID) })
	if token != nil {
		after := idOfToken(*token)
		found = slices.DeleteFunc(found, func(one *T) bool { return P(one).header().ID >= after })
	}
	size := pageSize
	if limit != nil {
		size = int(*limit)
	}
	if len(found) > size {
		found = found[:size]
		next = tokenOf(kind, P(found[size-1]).header().ID)
	}
	return found, next, nil
}

// tokenOf returns the token of the page after a job: 112 hexadecimal digits, as the service's have at least.
func tokenOf(kind string, id uint32) string {
	token := binary.BigEndian.AppendUint32(make([]byte, 0, 56), id)
	token = append(token, make([]byte, 20)...)
	sum := sha256.Sum256(append([]byte(kind), token...))
	return hex.EncodeToString(append(token, sum[:]...))
}

func idOfToken(token string) uint32 {
	text, _ := hex.DecodeString(token[:8]) // the token was checked
	return binary.BigEndian.Uint32(text)
}

// checkToken returns an error for a token that a list of that kind did not return.
func checkToken(kind string, token *string) error {
	if token == nil {
		return nil
	}
	if text, err := hex.DecodeString(*token); err == nil && len(text) == 56 &&
		tokenOf(kind, binary.BigEndian.Uint32(text)) == *token {
		return nil
	}
	return invalidRequest("Provided nextToken is invalid: " + *token)
}

// checkTableARN returns an error for a text that is not the ARN of a table. The messages are
// the service's (aws-controllers-k8s/dynamodb-controller, 2026-10).
func checkTableARN(arn string) error {
	if !strings.HasPrefix(arn, "arn:") {
		return wire.ParameterError("tableArn is not a valid ARN")
	}
	if _, err := control.TableNameFromARN(arn); err != nil {
		return invalidRequest("Table ARN is invalid.")
	}
	return nil
}
