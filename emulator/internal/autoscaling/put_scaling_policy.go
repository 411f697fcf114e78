package autoscaling

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/tabletop-db/tabletop/emulator/internal/cloudwatch"
)

// putScalingPolicyInput is the input of PutScalingPolicy. The type of an existing policy stays if it is missing.
type putScalingPolicyInput struct {
	ref
	PolicyName                               *string
	PolicyType                               *string
	StepScalingPolicyConfiguration           *json.RawMessage
	TargetTrackingScalingPolicyConfiguration *trackingConfiguration
	PredictiveScalingPolicyConfiguration     *json.RawMessage
}

// The types of policies.
const (
	stepScaling       = "StepScaling"
	targetTracking    = "TargetTrackingScaling"
	predictiveScaling = "PredictiveScaling"
)

func (in *putScalingPolicyInput) check(v *violations) {
	in.ref.check(v)
	v.required("policyName", in.PolicyName, 256)
	if in.PolicyName != nil && strings.ContainsFunc(*in.PolicyName, unicode.IsControl) {
		v.Add("policyName", *in.PolicyName, `Member must satisfy regular expression pattern: \p{Print}+`)
	}
	if in.PolicyType != nil { // in the order of the service's message, 2026-09-17
		v.OneOf("policyType", *in.PolicyType, predictiveScaling, "RightSizing", stepScaling, targetTracking)
	}
	config := in.TargetTrackingScalingPolicyConfiguration
	if config == nil {
		return
	}
	v.Required(config.TargetValue != nil, "targetTrackingScalingPolicyConfiguration.targetValue")
	if m := config.PredefinedMetricSpecification; m != nil {
		v.Required(m.PredefinedMetricType != nil,
			"targetTrackingScalingPolicyConfiguration.predefinedMetricSpecification.predefinedMetricType")
	}
}

type putScalingPolicyOutput struct {
	PolicyARN string
	Alarms    []alarmRef
}

// putScalingPolicy creates the policy of a target, or changes it. A policy that does not change keeps its alarms
// (2026-09-17).
func putScalingPolicy(c *call, in *putScalingPolicyInput) (any, error) {
	t, err := c.existing(in.ref, "registered")
	if err != nil {
		return nil, err
	}
	next := t.clone()
	if next.Policy == nil || next.Policy.Name != *in.PolicyName {
		next.Policy = &policy{Name: *in.PolicyName, CreatedBy: c.newID(), Created: seconds(c.clock.Now())}
	}
	isNew := t.Policy == nil || t.Policy.Name != *in.PolicyName
	if err := in.apply(next.Policy, t.resource(), isNew); err != nil {
		return nil, err
	}
	if isNew && t.Policy != nil {
		return nil, invalid("Only one TargetTrackingScaling policy for a given metric specification is allowed.")
	}
	if isNew || !reflect.DeepEqual(next.Policy.Config, t.Policy.Config) {
		units, _, _, err := c.capacity(c.ctx, next)
		if err != nil {
			return nil, err
		}
		if err := c.replaceAlarms(next, units); err != nil {
			return nil, alarmError(err)
		}
	}
	c.wake(t.key())
	return putScalingPolicyOutput{c.policyARN(next), c.alarmRefs(next)}, nil
}

// alarmError converts an error of CloudWatch to this service's form.
func alarmError(err error) error {
	var refused *cloudwatch.Error
	if errors.As(err, &refused) {
		return serviceError("LimitExceededException", refused.Message)
	}
	return err
}

// apply changes a policy as the request says.
func (in *putScalingPolicyInput) apply(p *policy, r resource, isNew bool) error {
	kind := targetTracking
	if in.PolicyType != nil {
		kind = *in.PolicyType
	}
	config := in.TargetTrackingScalingPolicyConfiguration
	given := 0
	for _, set := range []bool{config != nil, in.StepScalingPolicyConfiguration != nil,
		in.PredictiveScalingPolicyConfiguration != nil} {
		if set {
			given++
		}
	}
	switch {
	case isNew && in.PolicyType == nil:
		return invalid("Scaling policy type must be specified")
	case given > 1, given == 1 && kind == targetTracking && config == nil:
		return invalid("You must only provide a single scaling policy configuration, " +
			"which must match the scaling policy type specified.")
	case !isNew && kind == stepScaling:
		return invalid("You cannot change a StepScaling policy to a non StepScaling policy, or vice versa.")
	case kind == stepScaling: // (ack-api-quirks DDB-TABLE-196, 2026-10-09; its text is not recorded)
		return serviceError("AccessDeniedException", unsupportedType(kind))
	case kind != targetTracking: // as the SDK's model says of DynamoDB
		return invalid("%s", unsupportedType(kind))
	case config == nil && isNew:
		return invalid("TargetTrackingScaling policy configuration must be specified")
	case config == nil:
		return nil
	}
	previous := p.Config.PredefinedMetricSpecification
	if p.Config = *config; config.PredefinedMetricSpecification == nil && config.CustomizedMetricSpecification == nil {
		p.Config.PredefinedMetricSpecification = previous
	}
	return p.Config.check(r)
}

// unsupportedType returns the message about policies of a type that DynamoDB does not have. The text is ours.
func unsupportedType(kind string) string {
	return "Policies of the type " + kind + " are not supported for the service namespace dynamodb."
}

// The range of a policy's target, in percent of the capacity (ack-api-quirks DDB-TABLE-253, 2026-10-09; the developer
// guide says 20 to 90).
const (
	leastTarget = 10
	mostTarget  = 90
)

// check checks a configuration for a resource. The texts about customized and other metrics are ours. The service
// accepts negative cooldowns (DDB-TABLE-253).
func (c *trackingConfiguration) check(r resource) error {
	m := c.PredefinedMetricSpecification
	switch {
	case *c.TargetValue < smallestTarget || *c.TargetValue > largestTarget:
		return targetOutside("target tracking scaling", *c.TargetValue, "8.51592E-109", "1.174271E108")
	case m == nil && c.CustomizedMetricSpecification == nil:
		return invalid("PredefinedMetricSpecification or CustomizedMetricSpecification must be set " +
			"for target tracking scaling.")
	case m != nil && c.CustomizedMetricSpecification != nil:
		return invalid("Only one of PredefinedMetricSpecification or CustomizedMetricSpecification can be set " +
			"for target tracking scaling.")
	case m == nil:
		return invalid("The emulator does not support customized metrics of scaling policies.")
	case *m.PredefinedMetricType != "DynamoDB"+r.kind()+"CapacityUtilization":
		return invalid("The predefined metric type %s is not supported for this scalable dimension.",
			*m.PredefinedMetricType)
	case *c.TargetValue < leastTarget || *c.TargetValue > mostTarget:
		return targetOutside("predefined metric type "+*m.PredefinedMetricType, *c.TargetValue, "10.0", "90.0")
	}
	return nil
}

// The range of the target of any policy.
const (
	smallestTarget = 8.51592e-109
	largestTarget  = 1.174271e108
)

// targetOutside returns the error for a target outside the range of a kind of policy or metric.
func targetOutside(of string, value float64, least, most string) error {
	text := strconv.FormatFloat(value, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return invalid("For %s, target value must be between '%s' and '%s', but was '%s'.", of, least, most, text)
}
