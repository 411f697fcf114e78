package identity

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/model/identities"
)

// taggers are identities whose roles may be assumed with session tags and source identities: bob may set the tag team
// to red or blue, and himself as the source identity. A session of the role first may assume next, and then last.
const taggers = `
account: "123456789012"
users:
  bob:
    keys: [{id: AKIABOBBOBBOBBOBBOB1, secret: secret-of-bob}]
    policies: [AdministratorAccess]
roles:
  first:
    trust: &trust
      Version: "2012-10-17"
      Statement:
        - {Effect: Allow, Principal: {AWS: "123456789012"}, Action: "sts:AssumeRole",
           Condition: {StringLikeIfExists: {"sts:RoleSessionName": "s*"}}}
        - {Effect: Allow, Principal: {AWS: "123456789012"}, Action: "sts:TagSession",
           Condition: {StringLikeIfExists: {"aws:RequestTag/team": [red, blue]},
                       "ForAllValues:StringLike": {"aws:TagKeys": [team, Desk, "b*"], "sts:TransitiveTagKeys": [team, "b*"]}}}
        - {Effect: Allow, Principal: {AWS: "123456789012"}, Action: "sts:SetSourceIdentity",
           Condition: {StringEquals: {"sts:SourceIdentity": bob}}}
    policies: [AdministratorAccess]
    tags: {Team: none, site: oslo}
  next: {trust: *trust, policies: [AdministratorAccess], tags: {team: none}}
  last:
    trust: *trust
    inline:
      own: {Version: "2012-10-17", Statement: {Effect: Allow, Action: "dynamodb:*",
        Resource: "arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/team}", Condition: {StringEquals: {"aws:SourceIdentity": bob}}}}
  untagged:
    trust: {Version: "2012-10-17", Statement: {Effect: Allow, Principal: {AWS: "123456789012"}, Action: "sts:AssumeRole"}}
`

// newTaggers returns a service with these identities.
func newTaggers(t *testing.T) (*Service, *clock.Clock) {
	t.Helper()
	d, err := identities.Parse("taggers.yaml", []byte(taggers))
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	c := clock.Manual(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC))
	s, err := New(Config{Store: st, Clock: c, File: d})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// assume assumes a role; pairs are more parameters and their values in turn.
func assume(t *testing.T, s *Service, c *clock.Clock, who aws.Credentials, role string,
	pairs ...string) (status int, body string, keys aws.Credentials) {
	t.Helper()
	status, body = ask(t, s, c.Now(), who, append([]string{"Action", "AssumeRole", "RoleArn",
		"arn:aws:iam::123456789012:role/" + role, "RoleSessionName", "s1"}, pairs...)...)
	plain := strings.NewReplacer("&#43;", "+")
	return status, body, aws.Credentials{
		AccessKeyID:     between(body, "<AccessKeyId>", "<"),
		SecretAccessKey: plain.Replace(between(body, "<SecretAccessKey>", "<")),
		SessionToken:    plain.Replace(between(body, "<SessionToken>", "<")),
	}
}

// values returns the values of condition keys for the requests of a caller.
func values(t *testing.T, s *Service, c *clock.Clock, who aws.Credentials, keys ...string) (all []string) {
	t.Helper()
	p, err := s.Gate("dynamodb").Authenticate(signed(t, who, c.Now(), "{}"), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		all = append(all, strings.Join(p.Values(key), ","))
	}
	return all
}

// TestSessionTagsAndSourceIdentitiesAreConditionKeys follows them through a chain of three roles.
func TestSessionTagsAndSourceIdentitiesAreConditionKeys(t *testing.T) {
	t.Parallel()
	s, c := newTaggers(t)
	keys := []string{"aws:principaltag/team", "aws:principaltag/desk", "aws:principaltag/site", "aws:sourceidentity"}
	who := bob
	for _, step := range []struct {
		role  string
		pairs []string
		want  []string
	}{
		{"first", []string{"Tags.member.1.Key", "team", "Tags.member.1.Value", "red", "Tags.member.2.Key", "Desk",
			"Tags.member.2.Value", "7", "TransitiveTagKeys.member.1", "team", "SourceIdentity", "bob"},
			[]string{"red", "7", "oslo", "bob"}},
		{"next", nil, []string{"red", "", "", "bob"}},
		{"last", []string{"SourceIdentity", "bob", "Tags.member.1.Key", "Desk", "Tags.member.1.Value", ""},
			[]string{"red", "", "", "bob"}},
	} {
		status, body, next := assume(t, s, c, who, step.role, step.pairs...)
		if status != http.StatusOK || !strings.Contains(body, "<SourceIdentity>bob</SourceIdentity>") {
			t.Fatalf("%s: %d %s", step.role, status, body)
		}
		if got := values(t, s, c, next, keys...); strings.Join(got, "|") != strings.Join(step.want, "|") {
			t.Errorf("a session of %s has %q, want %q", step.role, got, step.want)
		}
		who = next
	}
	g := s.Gate("dynamodb")
	p, err := g.Authenticate(signed(t, who, c.Now(), "{}"), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]bool{"red": true, "blue": false} {
		if err := g.Authorize(p, Access{Action: "dynamodb:GetItem",
			Resource: "arn:aws:dynamodb:us-east-1:123456789012:table/" + table}); (err == nil) != want {
			t.Errorf("table %s: %v", table, err)
		}
	}
}

// TestParametersOfSessionsAreNotIgnored sends parameters that change what a session may do, and must be refused.
func TestParametersOfSessionsAreNotIgnored(t *testing.T) {
	t.Parallel()
	s, c := newTaggers(t)
	tag := func(key, value string) []string {
		return []string{"Tags.member.1.Key", key, "Tags.member.1.Value", value}
	}
	many := tag("b", strings.Repeat("x", 256))
	for i := range 20 {
		n := fmt.Sprint(i + 2)
		many = append(many, "Tags.member."+n+".Key", "b"+n, "Tags.member."+n+".Value", strings.Repeat("x", 256))
	}
	_, _, chained := assume(t, s, c, bob, "first", append(tag("team", "red"), "TransitiveTagKeys.member.1", "team",
		"SourceIdentity", "bob")...)
	const denied = "<Code>AccessDenied</Code><Message>User: arn:aws:"
	for name, x := range map[string]struct {
		who   aws.Credentials
		role  string
		pairs []string
		want  string
	}{
		"tags that the trust policy does not allow": {bob, "first", tag("team", "green"), "sts:TagSession on resource: "},
		"keys that the trust policy does not allow": {bob, "first", tag("other", "x"), denied},
		"tags without sts:TagSession":               {bob, "untagged", tag("team", "red"), "sts:TagSession on resource: "},
		"a transitive tag that is not allowed": {bob, "first",
			append(tag("Desk", "7"), "TransitiveTagKeys.member.1", "Desk"), denied},
		"inherited tags without sts:TagSession": {chained, "untagged", nil, "sts:TagSession on resource: "},
		"another value of an inherited tag": {chained, "next", tag("TEAM", "blue"),
			"conflicts with a transitive tag key"},
		"a transitive key without a tag": {bob, "first", []string{"TransitiveTagKeys.member.1", "team"},
			"must be included in the requested tags."},
		"too many transitive keys": {bob, "first", append(tag("team", "red"), transitive(51)...),
			"Value at &#39;transitiveTagKeys&#39; failed to satisfy constraint: Member must have length less than or equal to 50"},
		"a tag twice": {bob, "first",
			append(tag("team", "red"), "Tags.member.2.Key", "Team", "Tags.member.2.Value", "red"),
			"Duplicate tag keys found."},
		"a reserved tag":        {bob, "first", tag("aws:x", "x"), "<Code>ValidationError</Code>"},
		"a tag without a value": {bob, "first", tag("team", "red")[:2], "Value null at &#39;tags.1.member.value&#39;"},
		"a tag with a control character": {bob, "first", tag("b\x01", "x"),
			"at &#39;tags.1.member.key&#39; failed to satisfy constraint: Member must satisfy regular"},
		"tags that are too large": {bob, "first", many, "<Code>PackedPolicyTooLarge</Code>"},
		"a source identity that is not allowed": {bob, "first", []string{"SourceIdentity", "ana"},
			"sts:SetSourceIdentity on resource: "},
		"a source identity that is too short": {bob, "first", []string{"SourceIdentity", "b"},
			"at &#39;sourceIdentity&#39;"},
		"another source identity": {chained, "next", []string{"SourceIdentity", "ana"},
			"The source identity is already set"},
		"an MFA code": {bob, "first", []string{"SerialNumber", "arn:aws:iam::123456789012:mfa/bob", "TokenCode", "123456"},
			"MultiFactorAuthentication failed"},
		"contexts of a context provider": {bob, "first", []string{"ProvidedContexts.member.1.ContextAssertion", "x"},
			"ProvidedContexts is not supported"},
	} {
		if status, body, _ := assume(t, s, c, x.who, x.role, x.pairs...); status < 400 || !strings.Contains(body, x.want) {
			t.Errorf("%s: %d %s\nwant %s", name, status, body, x.want)
		}
	}
	if status, body := ask(t, s, c.Now(), bob, "Action", "GetSessionToken", "SerialNumber",
		"arn:aws:iam::123456789012:mfa/bob", "TokenCode", "123456"); status != http.StatusForbidden ||
		!strings.Contains(body, "MultiFactorAuthentication failed") {
		t.Errorf("GetSessionToken with an MFA code: %d %s", status, body)
	}
}

// transitive returns the parameters of a list of n transitive keys, all of which are the same.
func transitive(n int) (pairs []string) {
	for i := range n {
		pairs = append(pairs, "TransitiveTagKeys.member."+fmt.Sprint(i+1), "team")
	}
	return pairs
}

// TestARepeatedTransitiveKeyCountsOnce repeats a key as often as a request may: the token of the session, which is sent
// in a header of each request, does not grow.
func TestARepeatedTransitiveKeyCountsOnce(t *testing.T) {
	t.Parallel()
	s, c := newTaggers(t)
	tokens := map[int]string{}
	for _, n := range []int{1, 50} {
		status, body, keys := assume(t, s, c, bob, "first", append([]string{"Tags.member.1.Key", "team",
			"Tags.member.1.Value", "red"}, transitive(n)...)...)
		if status != http.StatusOK {
			t.Fatal(status, body)
		}
		tokens[n] = keys.SessionToken
	}
	if len(tokens[50]) != len(tokens[1]) {
		t.Errorf("a token has %d bytes with one transitive key, and %d with fifty of them", len(tokens[1]), len(tokens[50]))
	}
}
