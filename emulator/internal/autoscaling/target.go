package autoscaling

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// target is a scalable target with its policy and its scheduled actions. It is immutable once it is stored: a change
// creates another one.
type target struct {
	Account   string // name of its account's space
	Resource  string // such as table/orders
	Dimension string // such as dynamodb:table:ReadCapacityUnits
	ID        string // a UUID
	Min, Max  int64  // units per second
	Role      string `json:",omitempty"` // empty: the service's own role
	Suspended suspendedState
	Created   float64 // seconds since 1970
	Tags      map[string]string
	Policy    *policy // nil: none
	Adjust    bool    // the capacity is brought into the range soon
	Actions   []scheduledAction
}

// suspendedState is what is suspended of a target's scaling.
type suspendedState struct {
	DynamicScalingInSuspended  bool
	DynamicScalingOutSuspended bool
	ScheduledScalingSuspended  bool
}

// policy is a target tracking policy. A target has one at most, because each of its dimensions has one metric.
type policy struct {
	Name      string
	CreatedBy string // a UUID, in the action of its alarms
	Created   float64
	Config    trackingConfiguration
	Alarms    alarmNames
	Capacity  int64   // the units per second that the alarms' thresholds are for
	LastOut   float64 // when the last scale out by the policy ended, in seconds since 1970
	LastIn    float64
}

// alarmNames are the names of a policy's alarms.
type alarmNames struct {
	High            string
	Low             string // empty: scale in is disabled
	ProvisionedHigh string
	ProvisionedLow  string
}

// list returns the names in the service's order.
func (n alarmNames) list() []string {
	return slices.DeleteFunc([]string{n.High, n.Low, n.ProvisionedHigh, n.ProvisionedLow},
		func(name string) bool { return name == "" })
}

// trackingConfiguration is the configuration of a target tracking policy, as in requests and responses.
type trackingConfiguration struct {
	TargetValue                   *float64          // percent
	PredefinedMetricSpecification *predefinedMetric `json:",omitempty"`
	CustomizedMetricSpecification *json.RawMessage  `json:",omitempty"`
	ScaleOutCooldown              *int              `json:",omitempty"` // seconds; absent: 0
	ScaleInCooldown               *int              `json:",omitempty"`
	DisableScaleIn                *bool             `json:",omitempty"`
}

// predefinedMetric names the metric that a policy tracks.
type predefinedMetric struct {
	PredefinedMetricType *string
	ResourceLabel        *string `json:",omitempty"`
}

func (t *target) key() key { return key{t.Account, t.Resource, t.Dimension} }

// resource returns what the target scales.
func (t *target) resource() resource {
	r, _ := parseResource(t.Resource, t.Dimension) // checked when it was registered
	return r
}

// clone returns a copy to change.
func (t *target) clone() *target {
	next := *t
	next.Tags = maps.Clone(t.Tags)
	next.Actions = slices.Clone(t.Actions)
	if t.Policy != nil {
		p := *t.Policy
		next.Policy = &p
	}
	return &next
}

// arnID returns the last part of the target's ARN: a prefix for DynamoDB, and the id.
func (t *target) arnID() string { return "0d26" + strings.ReplaceAll(t.ID, "-", "") }

func (s *Service) targetARN(account, id string) string {
	return s.accountID.ARN("application-autoscaling", account, "scalable-target/"+id)
}

func (s *Service) arn(t *target) string { return s.targetARN(t.Account, t.arnID()) }

// policyARN returns the ARN of a target's policy.
func (s *Service) policyARN(t *target) string {
	return s.accountID.ARN("autoscaling", t.Account, "scalingPolicy:"+t.ID+":resource/"+namespace+"/"+t.Resource+
		":policyName/"+t.Policy.Name)
}

// actionARN returns the ARN of a scheduled action.
func (s *Service) actionARN(t *target, name string) string {
	return s.accountID.ARN("autoscaling", t.Account, "scheduledAction:"+t.ID+":resource/"+namespace+"/"+t.Resource+
		":scheduledActionName/"+name)
}

// roleARN returns the ARN of the role that the service changes the target's capacity with.
func (s *Service) roleARN(t *target) string {
	if t.Role != "" {
		return t.Role
	}
	return "arn:aws:iam::" + s.accountID.Number(t.Account) + ":role/aws-service-role/dynamodb.application-autoscaling." +
		"amazonaws.com/AWSServiceRoleForApplicationAutoScaling_DynamoDBTable"
}

// find returns a target, nil if there is none.
func (s *Service) find(k key) *target {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.targets[k]
}

// selected returns the targets of an account that pass a filter, in the order of their resources and dimensions.
func (s *Service) selected(account string, filter func(t *target) bool) (all []*target) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for k, t := range s.targets {
		if k.account == account && filter(t) {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b *target) int { return a.key().compare(b.key()) })
	return all
}

// seconds returns a time as the service writes it: seconds since 1970, to the millisecond.
func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

func timeOf(seconds float64) time.Time { return time.UnixMilli(int64(math.Round(seconds * 1000))) }
