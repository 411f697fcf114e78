package access

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// The operations on resource policies identify a table, or its newest stream, by ARN; each of the two has its own
// policy. The messages are those recorded by AWS's controllers for Kubernetes (ack-api-quirks, 2026-10-09).

// maxResourcePolicy is the size in bytes of the largest policy.
const maxResourcePolicy = 20 << 10

// noPolicyRevision is the ExpectedRevisionId of a request that expects no policy.
const noPolicyRevision = "NO_POLICY"

// policyTarget is the table or stream that an ARN names.
type policyTarget struct{ arn, name, stream string }

func parsePolicyTarget(a *engine.Account, arn string) (policyTarget, error) {
	t := policyTarget{arn: arn}
	if !strings.HasPrefix(arn, "arn:") {
		return t, wire.ParameterError("ARNs must start with 'arn:': " + arn)
	}
	own := a.ARN("dynamodb", "") // up to the account, with its colon
	rest, ok := strings.CutPrefix(arn, own)
	if parts := strings.SplitN(arn, ":", 6); !ok && len(parts) == 6 && strings.HasPrefix(own,
		strings.Join(parts[:4], ":")) {
		return t, wire.ValidationError("This action is only supported by accounts that match the resource owner’s account.")
	}
	rest, isTable := strings.CutPrefix(rest, "table/")
	if !ok || !isTable {
		return t, wire.ParameterError("Invalid resource Arn: " + arn)
	}
	var kind string
	if t.name, rest, ok = strings.Cut(rest, "/"); !ok {
		return t, nil
	}
	switch kind, t.stream, _ = strings.Cut(rest, "/"); kind {
	case "stream":
		return t, nil
	case "index":
		return t, wire.ParameterError(
			"Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + arn)
	}
	return t, wire.ParameterError("Provided Arn is not a DynamoDB resource arn: " + arn)
}

// findTable returns the target's table.
func (t policyTarget) findTable(a *engine.Account) (*engine.Table, error) {
	found, err := a.NamedTable(t.name)
	if err != nil {
		return nil, err
	}
	if t.stream != "" && (found.Def.Stream == nil || found.Def.Stream.Label != t.stream) {
		return nil, wire.DynamoError("ResourceNotFoundException", "Requested resource not found: Stream: "+t.stream+
			" not found for Table: "+t.name)
	}
	return found, nil
}

// policyField returns the field of a definition that holds the target's policy.
func (t policyTarget) policyField(def *engine.Definition) **engine.ResourcePolicy {
	if t.stream != "" {
		return &def.StreamPolicy
	}
	return &def.Policy
}

func policyNotFound(detail string) *wire.Error {
	return wire.DynamoError("PolicyNotFoundException", "Resource-based policy not found for the provided ResourceArn: "+
		detail)
}

// checkRevision returns an error unless the current policy has the expected revision.
func (t policyTarget) checkRevision(current *engine.ResourcePolicy, expected *string) error {
	switch {
	case expected == nil, *expected == noPolicyRevision && current == nil, current != nil && *expected == current.Revision:
		return nil
	case *expected == noPolicyRevision:
		return policyNotFound("Requested policy update expecting none to be present for table " + t.name +
			", but a policy exists with revision id " + current.Revision + ".")
	case current == nil:
		return policyNotFound("Requested update for policy with revision id " + *expected + ", but table " + t.name +
			" has no associated policy.")
	}
	return policyNotFound("Requested update for policy with revision id " + *expected +
		", but the policy associated to target table " + t.name + " has revision id " + current.Revision + ".")
}

// newRevision returns a new revision id: the time in milliseconds, but later than the previous revision.
func newRevision(e *engine.Engine, previous *engine.ResourcePolicy) string {
	now := e.Clock.Now().UnixMilli()
	if previous != nil {
		if last, err := strconv.ParseInt(previous.Revision, 10, 64); err == nil {
			now = max(now, last+1)
		}
	}
	return strconv.FormatInt(now, 10)
}

// ParseTablePolicy parses the policy of a table.
func ParseTablePolicy(text string) (*iam.Policy, error) { return parsePolicy(text, false) }

// parsePolicy parses the policy of a table or a stream.
func parsePolicy(text string, stream bool) (*iam.Policy, error) {
	if len(text) > maxResourcePolicy {
		return nil, wire.ParameterError("Maximum policy size of " + strconv.Itoa(maxResourcePolicy) + " bytes exceeded")
	}
	p, err := iam.Parse(iam.Resource, "resource policy", []byte(text))
	if err != nil {
		return nil, policyError(policyProblem(text, err))
	}
	if err := checkPolicyElements(p, stream); err != nil {
		return nil, err
	}
	if p.AllowsEveryone() { // (ack-api-quirks DDB-TABLE-356, 2026-10-09)
		return nil, wire.ValidationError("Resource-based policy grants unbounded access in one or more elements. " +
			"Please revise the policy to ensure least-privilege form of access")
	}
	return p, nil
}

// policyProblem returns what is wrong with a policy, in the service's words where they are known (ack-api-quirks
// DDB-TABLE-352, DDB-TABLE-356 and DDB-TABLE-457, 2026-10-09).
func policyProblem(text string, err error) string {
	var syntax *iam.SyntaxError
	switch {
	case !errors.As(err, &syntax):
		return err.Error()
	case text == "null":
		return "This text appears not to be a policy"
	case syntax.NotJSON, strings.HasPrefix(text, "["):
		return "This policy contains invalid Json"
	case syntax.Message != "":
		return syntax.Message
	case syntax.Missing != "":
		return "Missing required field " + syntax.Missing
	}
	return syntax.Error()
}

// NewTablePolicy returns the policy of a new table. text has been checked.
func NewTablePolicy(a *engine.Account, text string) *engine.ResourcePolicy {
	if p, err := ParseTablePolicy(text); err == nil {
		text = p.Canonical
	}
	return &engine.ResourcePolicy{Text: text, Revision: newRevision(a.Engine, nil)}
}
