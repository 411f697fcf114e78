package cloudwatch

import (
	"errors"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// authenticate returns the signer of a request. body is as it was sent.
func (s *Service) authenticate(r *http.Request, body []byte) (*identity.Principal, error) {
	who, err := s.gate.Authenticate(r, body)
	return who, convertAccessError(err)
}

// alarmNamer is an input that names alarms: a policy can allow it for those alarms only.
type alarmNamer interface{ alarmNames() []string }

// permit authorizes a request: for each alarm that it names, or for all resources.
func (c *caller) permit(operation string, in any) error {
	if !c.gate.Enabled() {
		return nil
	}
	access := identity.Access{Action: "cloudwatch:" + operation, Resource: "*"}
	if data, ok := in.(*PutMetricDataInput); ok {
		access.Context = namespaceKey(zero(data.Namespace))
	}
	named, ok := in.(alarmNamer)
	if !ok || len(named.alarmNames()) == 0 {
		return convertAccessError(c.gate.Authorize(c.principal, access))
	}
	for _, name := range named.alarmNames() {
		access.Resource = c.arnOf(c.account, name)
		if err := convertAccessError(c.gate.Authorize(c.principal, access)); err != nil {
			return err
		}
	}
	return nil
}

// namespaceKey is the condition key cloudwatch:namespace.
type namespaceKey string

// Values implements iam.Values.
func (k namespaceKey) Values(key string) []string {
	if key == "cloudwatch:namespace" {
		return []string{string(k)}
	}
	return nil
}

var _ iam.Values = namespaceKey("")

// convertAccessError converts an error of package identity to this service's form.
func convertAccessError(err error) error {
	var refused *identity.Error
	if !errors.As(err, &refused) {
		return err
	}
	code, status := refused.QueryCode()
	return &Error{status, refused.Code, code, refused.Message}
}

func nameList(name *string) []string {
	if name == nil {
		return nil
	}
	return []string{*name}
}

func (in *PutMetricAlarmInput) alarmNames() []string       { return nameList(in.AlarmName) }
func (in *SetAlarmStateInput) alarmNames() []string        { return nameList(in.AlarmName) }
func (in *DescribeAlarmHistoryInput) alarmNames() []string { return nameList(in.AlarmName) }
func (in *DescribeAlarmsInput) alarmNames() []string       { return in.AlarmNames }
func (in *DeleteAlarmsInput) alarmNames() []string         { return in.AlarmNames }
func (in *EnableAlarmActionsInput) alarmNames() []string   { return in.AlarmNames }
func (in *DisableAlarmActionsInput) alarmNames() []string  { return in.AlarmNames }
