package autoscaling

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// namespace is the only service whose resources are scaled here.
const namespace = "dynamodb"

// ref is the part of an input that names a scalable target.
type ref struct {
	ServiceNamespace  *string
	ResourceId        *string
	ScalableDimension *string
}

// String names the target as the service does in messages.
func (in ref) String() string {
	return "service namespace: " + *in.ServiceNamespace + ", resource ID: " + *in.ResourceId + ", scalable dimension: " +
		*in.ScalableDimension
}

// check checks a target that must be named.
func (in ref) check(v *violations) {
	v.Required(in.ResourceId != nil, "resourceId")
	v.Required(in.ScalableDimension != nil, "scalableDimension")
	in.checkFilter(v)
}

// checkFilter checks a target that may be named in part: only its namespace is required.
func (in ref) checkFilter(v *violations) {
	v.Required(in.ServiceNamespace != nil, "serviceNamespace")
	v.text("resourceId", in.ResourceId, maxText)
	if in.ScalableDimension != nil {
		v.OneOf("scalableDimension", *in.ScalableDimension, dimensions()...)
	}
	if in.ServiceNamespace != nil {
		v.OneOf("serviceNamespace", *in.ServiceNamespace, namespaces()...)
	}
}

// dimensions are the scalable dimensions of all services, in the order of the service's message (2026-09-17).
func dimensions() []string {
	return []string{
		"cassandra:table:WriteCapacityUnits", "dynamodb:index:ReadCapacityUnits", "cassandra:table:ReadCapacityUnits",
		"dynamodb:index:WriteCapacityUnits", "appstream:fleet:DesiredCapacity",
		"sagemaker:inference-component:DesiredCopyCount",
		"comprehend:document-classifier-endpoint:DesiredInferenceUnits", "ec2:spot-fleet-request:TargetCapacity",
		"rds:cluster:ReadReplicaCount", "elasticache:cache-cluster:Nodes", "elasticache:replication-group:Replicas",
		"workspaces:workspacespool:DesiredUserSessions", "sagemaker:variant:DesiredProvisionedConcurrency",
		"dynamodb:table:WriteCapacityUnits", "kafka:broker-storage:VolumeSize", "ecs:service:DesiredCount",
		"sagemaker:variant:DesiredInstanceCount", "comprehend:entity-recognizer-endpoint:DesiredInferenceUnits",
		"dynamodb:table:ReadCapacityUnits", "lambda:function:ProvisionedConcurrency",
		"custom-resource:ResourceType:Property", "neptune:cluster:ReadReplicaCount",
		"elasticache:replication-group:NodeGroups", "elasticmapreduce:instancegroup:InstanceCount",
	}
}

// namespaces are the services whose resources Application Auto Scaling scales, in the order of the SDK's model.
func namespaces() []string {
	return []string{"ecs", "elasticmapreduce", "ec2", "appstream", namespace, "rds", "sagemaker", "custom-resource",
		"comprehend", "lambda", "cassandra", "kafka", "elasticache", "neptune", "workspaces"}
}

// key identifies a target.
type key struct{ account, resource, dimension string }

func (k key) compare(o key) int {
	return slices.Compare([]string{k.account, k.resource, k.dimension}, []string{o.account, o.resource, o.dimension})
}

// key returns the key of the target that a request names. Errors: the emulator scales no such resources.
func (in ref) key(account string) (key, error) {
	if *in.ServiceNamespace != namespace { // the text is ours
		return key{}, invalid("The emulator scales resources of the service namespace dynamodb only.")
	}
	if _, ok := parseResource(*in.ResourceId, *in.ScalableDimension); !ok {
		return key{}, unsupported()
	}
	return key{account, *in.ResourceId, *in.ScalableDimension}, nil
}

func unsupported() error {
	return invalid("Unsupported service namespace, resource type or scalable dimension")
}

// resource is one capacity of a table or of a global secondary index.
type resource struct {
	table, index string // index is empty for the table itself
	write        bool
}

var resourceID = lazyregexp.New(`^table/([a-zA-Z0-9_.-]{3,255})(/index/([a-zA-Z0-9_.-]{3,255}))?$`)

// parseResource parses a resource id, such as table/orders/index/by-customer, and a dimension of such a resource.
func parseResource(id, dimension string) (resource, bool) {
	parts := resourceID.FindStringSubmatch(id)
	of, rest, ok := strings.Cut(strings.TrimPrefix(dimension, namespace+":"), ":")
	if parts == nil || !ok || (of == "index") != (parts[3] != "") {
		return resource{}, false
	}
	return resource{parts[1], parts[3], strings.HasPrefix(rest, "Write")}, of == "index" || of == "table"
}

// kind is Read or Write.
func (r resource) kind() string {
	if r.write {
		return "Write"
	}
	return "Read"
}

// units names the capacity as the service does in activities.
func (r resource) units() string { return strings.ToLower(r.kind()) + " capacity units" }

// of returns the units of the resource's capacity.
func (r resource) of(c Capacity) int64 {
	if r.write {
		return c.Writes
	}
	return c.Reads
}
