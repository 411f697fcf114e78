package autoscaling

import (
	"context"
	"errors"
	"fmt"
)

// Change changes how the read or write capacity of an account's table is scaled, or of its index if that is not empty.
type Change struct {
	Account, Table, Index string
	Write                 bool
	Disabled              bool // the target is deregistered; Settings are ignored
	Settings              Settings
}

// Apply makes changes on behalf of DynamoDB, which needs no permission. A policy without a name gets that of the
// service, and replaces the previous one. (ack-api-quirks DDB-TABLE-198, DDB-TABLE-237 and DDB-TABLE-240, 2026-10-09.)
// The caller must not be inside a gate of DynamoDB. Errors: Error, before anything is changed if settings are invalid.
func (s *Service) Apply(ctx context.Context, changes []Change) error {
	if err := s.running.Enter(ctx); err != nil {
		return err
	}
	defer s.running.Leave()
	if err := s.store.Readable(); err != nil {
		return err
	}
	if err := s.changes.Close(ctx); err != nil {
		return err
	}
	defer s.changes.Open()
	defer s.reschedule()
	for _, change := range changes {
		if err := change.check(); err != nil {
			return s.attributed(err)
		}
	}
	for _, change := range changes {
		c := &call{Service: s, ctx: ctx, internal: true, space: change.Account}
		if err := change.apply(c); err != nil {
			return s.attributed(err)
		}
	}
	return nil
}

// attributed adds to a message what the service adds where it passes the error of another one on (ack-api-quirks
// DDB-TABLE-253, 2026-10-09).
func (s *Service) attributed(err error) error {
	var refused *Error
	if !errors.As(err, &refused) {
		return err
	}
	e := *refused
	e.Message = fmt.Sprintf("%s (Service: AWSApplicationAutoScaling; Status Code: %d; Error Code: %s; Request ID: %s; "+
		"Proxy: null)", e.Message, e.Status, e.Type, s.requests.Next())
	return &e
}

// key returns the key of the changed target.
func (c *Change) key() key { return keyOf(c.Account, c.Table, c.Index, c.Write) }

func (c *Change) ref() ref {
	k, service := c.key(), namespace
	return ref{&service, &k.resource, &k.dimension}
}

// policy returns the policy that the change puts.
func (c *Change) policy() *putScalingPolicyInput {
	r, _ := parseResource(c.key().resource, c.key().dimension)
	kind, metric, name := targetTracking, "DynamoDB"+r.kind()+"CapacityUtilization", c.Settings.Policy
	if name == "" {
		name = metric + ":" + c.key().resource
	}
	return &putScalingPolicyInput{ref: c.ref(), PolicyName: &name, PolicyType: &kind,
		TargetTrackingScalingPolicyConfiguration: &trackingConfiguration{TargetValue: &c.Settings.Target,
			PredefinedMetricSpecification: &predefinedMetric{PredefinedMetricType: &metric},
			ScaleOutCooldown:              c.Settings.ScaleOutCooldown, ScaleInCooldown: c.Settings.ScaleInCooldown,
			DisableScaleIn: c.Settings.DisableScaleIn}}
}

// check checks the settings.
func (c *Change) check() error {
	if c.Disabled {
		return nil
	}
	if err := checkRange(&c.Settings.Min, &c.Settings.Max); err != nil {
		return err
	}
	r, _ := parseResource(c.key().resource, c.key().dimension)
	return c.policy().TargetTrackingScalingPolicyConfiguration.check(r)
}

func (c *Change) apply(call *call) error {
	t := call.find(c.key())
	if c.Disabled {
		if t == nil {
			return nil
		}
		_, err := deregisterScalableTarget(call, &deregisterScalableTargetInput{c.ref()})
		return err
	}
	_, err := registerScalableTarget(call, &registerScalableTargetInput{ref: c.ref(), MinCapacity: &c.Settings.Min,
		MaxCapacity: &c.Settings.Max})
	if err != nil {
		return err
	}
	in := c.policy()
	if t != nil && t.Policy != nil && t.Policy.Name != *in.PolicyName {
		if _, err := deleteScalingPolicy(call, &deleteScalingPolicyInput{c.ref(), &t.Policy.Name}); err != nil {
			return err
		}
	}
	_, err = putScalingPolicy(call, in)
	return err
}
