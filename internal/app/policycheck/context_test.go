package policycheck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/internal/model/iam"
	"github.com/tabletop-db/tabletop/internal/model/identities"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// TestConditionKeys checks the values of condition keys that follow from the request, its caller and its resource.
func TestConditionKeys(t *testing.T) {
	t.Parallel()
	d, err := identities.Parse("people.yaml", []byte(`
account: "123456789012"
users:
  bob: {tags: {Team: orders}}
roles:
  Reader: {tags: {Team: readers}, trust: {Version: "2012-10-17", Statement: {Effect: Allow, Principal: "*", Action: "sts:AssumeRole"}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	const bob, session = "arn:aws:iam::123456789012:user/bob", "arn:aws:sts::123456789012:assumed-role/Reader/night"
	user, _ := d.User(bob)
	role, _ := d.Role("arn:aws:iam::123456789012:role/Reader")
	for _, c := range []struct{ principal, key, value string }{
		{bob, "dynamodb:FirstPartitionKeyValues", "bob"},
		{bob, "aws:RequestedRegion", "eu-west-1"},
		{bob, "aws:ViaAWSService", "false"},
		{bob, "aws:UserAgent", "aws-sdk-go-v2/1.30"},
		{bob, "aws:userid", user.ID},
		{bob, "aws:PrincipalTag/team", "orders"},
		{session, "aws:userid", role.ID + ":night"},
		{session, "aws:PrincipalTag/Team", "readers"},
		{session, "aws:MultiFactorAuthPresent", "false"},
		{bob, "aws:SourceIp", "10.0.0.7"}, // given
		{bob, "aws:CurrentTime", "2026-01-01T00:00:00Z"},
	} {
		policy, err := iam.Parse(iam.Identity, "policy.json", fmt.Appendf(nil, `{"Version":"2012-10-17","Statement":`+
			`{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringEquals":{%q:%q}}}}`, c.key, c.value))
		if err != nil {
			t.Fatal(err)
		}
		entry := &recording.Entry{N: 1, Principal: c.principal, Client: "aws-sdk-go-v2/1.30",
			Authorization: []recording.Access{{Action: "dynamodb:GetItem",
				Resource: "arn:aws:dynamodb:eu-west-1:123456789012:table/orders",
				Context:  map[string][]string{"dynamodb:LeadingKeys": {"bob"}}}}}
		s := &Source{Directory: d, Policy: policy, Context: map[string][]string{"aws:SourceIp": {"10.0.0.7"},
			"AWS:currenttime": {"2026-01-01T00:00:00Z"}}}
		verdicts, err := s.Check(entry)
		if err != nil || len(verdicts) != 1 || !verdicts[0].Explanation.Decision.Allowed {
			t.Errorf("%s of %s is not %s: %v, %v", c.key, c.principal[strings.LastIndexByte(c.principal, '/'):], c.value,
				verdicts, err)
		}
	}
}
