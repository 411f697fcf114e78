package wire

// The consistency levels differ where replicas trail the writes, in the cloud's temperament. A partition has four
// replicas there, a leader and followers, of which this model has a leader and two. Writes reach a follower in their
// order, so each shows what was there at some moment: a consistent prefix. A read of
//
//   - Strong and BoundedStaleness meets the leader: within one region, which is all there is here, the second is as the first;
//   - Session meets any replica that has come as far as the client has seen, by its session token;
//   - ConsistentPrefix and Eventual meets any.

// Consistency is a consistency level.
type Consistency string

// The consistency levels, the strongest first.
const (
	Strong           Consistency = "Strong"
	BoundedStaleness Consistency = "BoundedStaleness"
	Session          Consistency = "Session"
	ConsistentPrefix Consistency = "ConsistentPrefix"
	Eventual         Consistency = "Eventual"
)

// Consistencies are all levels, the strongest first.
func Consistencies() []Consistency {
	return []Consistency{Strong, BoundedStaleness, Session, ConsistentPrefix, Eventual}
}
