package wire

// The consistency levels differ only if replicas lag, which is one of the cloud behaviours. In the service, a partition
// has four replicas, a leader and followers; this model has a leader and two followers. A follower receives writes in
// order, so it always shows a consistent prefix. A read with
//
//   - Strong or BoundedStaleness is served by the leader: within one region, which is all there is here, both behave
//     the same;
//   - Session is served by any replica that has reached the client's session token;
//   - ConsistentPrefix or Eventual is served by any replica.

// Consistency is a consistency level.
type Consistency string

// The consistency levels, strongest first.
const (
	Strong           Consistency = "Strong"
	BoundedStaleness Consistency = "BoundedStaleness"
	Session          Consistency = "Session"
	ConsistentPrefix Consistency = "ConsistentPrefix"
	Eventual         Consistency = "Eventual"
)

// Consistencies returns all levels, strongest first.
func Consistencies() []Consistency {
	return []Consistency{Strong, BoundedStaleness, Session, ConsistentPrefix, Eventual}
}
