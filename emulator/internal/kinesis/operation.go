package kinesis

import (
	"context"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// operations are the service's operations by their wire names.
var operations = map[string]operation{
	"CreateStream":          define(createStream),
	"DeleteStream":          define(deleteStream),
	"DescribeLimits":        define(describeLimits),
	"DescribeStream":        define(describeStream),
	"DescribeStreamSummary": define(describeStreamSummary),
	"GetRecords":            define(getRecords),
	"GetShardIterator":      define(getShardIterator),
	"ListShards":            define(listShards),
	"ListStreams":           define(listStreams),
	"ListTagsForStream":     define(listTagsForStream),
	"PutRecord":             define(putRecord),
	"PutRecords":            define(putRecords),
}

// operation handles a request, whose body decode reads. A nil response is an empty one.
type operation func(c *call, body []byte, decode func([]byte, any) error) (any, error)

// request is an input of any operation. Its check validates it independently of the streams.
type request[I any] interface {
	*I
	check(v *violations)
}

func define[I any, P request[I]](run func(c *call, in *I) (any, error)) operation {
	return func(c *call, body []byte, decode func([]byte, any) error) (any, error) {
		in := new(I)
		if err := decode(body, in); err != nil {
			return nil, kinesisError("SerializationException", "")
		}
		var v violations
		P(in).check(&v)
		if err := v.err(); err != nil {
			return nil, err
		}
		return run(c, in)
	}
}

// call is one request in progress.
type call struct {
	*Service
	ctx       context.Context
	operation string
	principal *identity.Principal
	work      *budget.Budget // of the request; nil: no limit
	space     string         // the account's name
}

// call checks a request's credentials.
func (s *Service) call(r *http.Request, operation string, body []byte) (*call, error) {
	credential, signed := accounts.Credential(r)
	if !signed {
		return nil, kinesisError(identity.MissingToken, "Missing Authentication Token")
	}
	who, err := s.gate.Authenticate(r, body)
	if err != nil {
		return nil, convertAccessError(err)
	}
	c := &call{Service: s, ctx: r.Context(), operation: operation, principal: who, work: budget.From(r.Context())}
	c.space = s.spaces.Of(s.gate.Enabled(), accounts.ScopeOf(credential), who)
	return c, nil
}

// permit authorizes the request's operation on a stream, or on all resources if the name is empty.
func (c *call) permit(a *account, stream string) error {
	access := identity.Access{Action: "kinesis:" + c.operation, Resource: "*"}
	if stream != "" {
		access.Resource = a.arn(stream)
	}
	return convertAccessError(c.gate.Authorize(c.principal, access))
}

// stream returns the account and the stream of a request that may use it.
func (c *call) stream(in streamRef) (*account, *stream, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	a := c.account(c.space)
	name, err := in.name(a)
	if err != nil {
		return nil, nil, err
	}
	if err := c.permit(a, name); err != nil {
		return nil, nil, err
	}
	st, err := a.find(in)
	return a, st, err
}
