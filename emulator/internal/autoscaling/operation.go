package autoscaling

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// operations are the service's operations by their names on the wire.
var operations = map[string]operation{
	"DeleteScalingPolicy":       writes(deleteScalingPolicy),
	"DeleteScheduledAction":     writes(deleteScheduledAction),
	"DeregisterScalableTarget":  writes(deregisterScalableTarget),
	"DescribeScalableTargets":   reads(describeScalableTargets),
	"DescribeScalingActivities": reads(describeScalingActivities),
	"DescribeScalingPolicies":   reads(describeScalingPolicies),
	"DescribeScheduledActions":  reads(describeScheduledActions),
	"ListTagsForResource":       reads(listTagsForResource),
	"PutScalingPolicy":          writes(putScalingPolicy),
	"PutScheduledAction":        writes(putScheduledAction),
	"RegisterScalableTarget":    writes(registerScalableTarget),
	"TagResource":               writes(tagResource),
	"UntagResource":             writes(untagResource),
}

// operation returns the response to a request's body.
type operation func(c *call, body []byte) (any, error)

// request is an input of any operation. Its check validates it without looking at targets.
type request[I any] interface {
	*I
	check(v *violations)
}

// empty is the output of operations that return nothing.
type empty struct{}

func reads[I any, P request[I]](run func(c *call, in *I) (any, error)) operation {
	return func(c *call, body []byte) (any, error) {
		in, err := read[I, P](body)
		if err != nil {
			return nil, err
		}
		return run(c, in)
	}
}

// writes returns an operation that may change targets: one at a time.
func writes[I any, P request[I]](run func(c *call, in *I) (any, error)) operation {
	return func(c *call, body []byte) (any, error) {
		in, err := read[I, P](body)
		if err != nil {
			return nil, err
		}
		if err := c.changes.Close(c.ctx); err != nil {
			return nil, err
		}
		defer c.changes.Open()
		defer c.reschedule()
		return run(c, in)
	}
}

func read[I any, P request[I]](body []byte) (*I, error) {
	in := new(I)
	if err := json.Unmarshal(body, in); err != nil {
		return nil, serviceError("SerializationException", "")
	}
	var v violations
	P(in).check(&v)
	return in, v.err()
}

// call is one request in progress.
type call struct {
	*Service
	ctx       context.Context
	operation string
	principal *identity.Principal
	space     string // the account's name
	internal  bool   // DynamoDB makes it: it needs no permission, and its resource may still be created
}

// call checks a request's credentials.
func (s *Service) call(r *http.Request, operation string, body []byte) (*call, error) {
	credential, signed := accounts.Credential(r)
	if !signed {
		return nil, serviceError(identity.MissingToken, "Missing Authentication Token")
	}
	who, err := s.gate.Authenticate(r, body)
	if err != nil {
		return nil, convertAccessError(err)
	}
	c := &call{Service: s, ctx: r.Context(), operation: operation, principal: who}
	c.space = s.spaces.Of(s.gate.Enabled(), accounts.ScopeOf(credential), who)
	return c, nil
}

// permit authorizes the request's operation on a resource, an ARN or *.
func (c *call) permit(resource string) error {
	if c.internal {
		return nil
	}
	return convertAccessError(c.gate.Authorize(c.principal, identity.Access{
		Action: "application-autoscaling:" + c.operation, Resource: resource}))
}

// target returns the target that a request names, nil if there is none, after authorizing the request for it.
func (c *call) target(in ref) (*target, error) {
	k, err := in.key(c.space)
	if err != nil {
		return nil, err
	}
	t := c.find(k)
	id := "*"
	if t != nil {
		id = t.arnID()
	}
	return t, c.permit(c.targetARN(c.space, id))
}

// existing is target with an error, in the service's word for it, if there is none.
func (c *call) existing(in ref, word string) (*target, error) {
	t, err := c.target(in)
	if err == nil && t == nil {
		err = serviceError("ObjectNotFoundException", "No scalable target "+word+" for "+in.String())
	}
	return t, err
}
