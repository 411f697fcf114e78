package autoscaling

// activity is a scaling activity. It is immutable once it is stored. Its members with the names of the service's are
// its DescribeScalingActivities representation.
type activity struct {
	Number   uint64 // in the order of their starts
	Account  string // name of its account's space
	From, To int64  // units per second; 0 if it changes no capacity
	ByPolicy bool   // it starts a cooldown
	activityDescription
}

// activityDescription is the DescribeScalingActivities representation of an activity.
type activityDescription struct {
	ActivityId        string
	ServiceNamespace  string
	ResourceId        string
	ScalableDimension string
	Description       string
	Cause             string
	StartTime         float64
	EndTime           *float64 `json:",omitempty"`
	StatusCode        string
	StatusMessage     string
}

// The states of an activity.
const (
	inProgress = "InProgress"
	successful = "Successful"
	failed     = "Failed"
)

func (a *activity) inProgress() bool { return a.StatusCode == inProgress }

// newActivity returns a new activity of a target, in progress. changes must be closed.
func (s *Service) newActivity(t *target, description, cause string) *activity {
	return &activity{Account: t.Account, activityDescription: activityDescription{
		ActivityId: s.newID(), ServiceNamespace: namespace, ResourceId: t.Resource, ScalableDimension: t.Dimension,
		Description: description, Cause: cause, StartTime: seconds(s.clock.Now()), StatusCode: inProgress,
	}}
}

// ended returns the activity with the state at its end.
func (a *activity) ended(at float64, code, message string) *activity {
	next := *a
	next.EndTime, next.StatusCode, next.StatusMessage = &at, code, message
	return &next
}
