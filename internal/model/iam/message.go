package iam

// Message returns why a request was refused, in the services' wording.
func (d *Decision) Message(r *Request) string {
	text := "User: " + r.Principal.ARN + " is not authorized to perform: " + r.Action + " on resource: " + r.Resource
	switch {
	case d.Statement != nil && d.Kind == Identity:
		return text + " with an explicit deny in an identity-based policy"
	case d.Statement != nil:
		return text + " with an explicit deny in a " + d.Kind.String()
	case d.Kind == Trust: // the service does not say more
		return text
	}
	return text + " because no " + d.Kind.String() + " allows the " + r.Action + " action"
}
