package identity

import (
	"strconv"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/constraint"
	"github.com/tabletop-db/tabletop/internal/model/iam"
	"github.com/tabletop-db/tabletop/internal/model/identities"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// credentialsXML is the Credentials element of STS responses.
type credentialsXML struct {
	AccessKeyID     string `xml:"AccessKeyId"`
	SecretAccessKey string
	SessionToken    string
	Expiration      string
}

// issue creates the credentials of a session.
func (v *tokenIssuer) issue(s session) (credentialsXML, error) {
	id := newKeyID(identities.SessionKey)
	token, err := v.token(id, s)
	return credentialsXML{
		AccessKeyID: id, SecretAccessKey: v.secretOf(id), SessionToken: token,
		Expiration: time.Unix(s.Expires, 0).UTC().Format("2006-01-02T15:04:05Z"),
	}, err
}

type callerIdentity struct {
	ARN     string `xml:"Arn"`
	UserID  string `xml:"UserId"`
	Account string
}

// getCallerIdentity returns the caller. No policy can deny it.
func getCallerIdentity(c *stsCall) callerIdentity {
	return callerIdentity{ARN: c.principal.ARN, UserID: c.principal.UserID, Account: c.principal.Account}
}

type assumedRole struct {
	Credentials     credentialsXML
	AssumedRoleUser struct {
		ID  string `xml:"AssumedRoleId"`
		ARN string `xml:"Arn"`
	}
	PackedPolicySize int    `xml:",omitempty"`
	SourceIdentity   string `xml:",omitempty"`
}

// assumeRole creates a session of a role if its trust policy and the caller's own policies allow it.
func (s *STS) assumeRole(c *stsCall) (*assumedRole, error) {
	in, err := c.assumeRoleInput()
	if err != nil {
		return nil, err
	}
	st, role, err := s.role(c, in)
	if err != nil {
		return nil, err
	}
	if err := in.checkDuration(c, role); err != nil {
		return nil, err
	}
	now := s.clock.Now()
	out := &assumedRole{PackedPolicySize: len(in.policy) * 100 / maxSessionPolicy, SourceIdentity: in.source}
	out.AssumedRoleUser.ID = role.ID + ":" + in.session
	out.AssumedRoleUser.ARN = sessionARN(role, in.session)
	out.Credentials, err = st.issuer.issue(session{
		Account: role.Account, Role: role.ARN, Name: in.session, Policy: in.policy,
		Issued: now.Unix(), Expires: now.Unix() + int64(in.duration), Chained: c.principal.Role != "",
		Tags: in.all.values, Transitive: in.all.transitive, Source: in.source,
	})
	return out, err
}

// role returns the role if the caller may assume it. The error is the same for a role that does not exist. Without
// identities, every role exists.
func (s *STS) role(c *stsCall, in *assumeRoleInput) (*state, *identities.Role, error) {
	st := s.current.Load()
	if st == nil {
		v, err := ephemeralIssuer()
		account, name := in.roleName()
		role := &identities.Role{Identity: identities.Identity{Account: account, Name: name, ARN: in.role,
			ID: "AROA" + strings.ToUpper(name)}, MaxSession: maxRoleSession}
		return &state{issuer: v}, role, err
	}
	if err := c.refuseUnsupported(); err != nil {
		return nil, nil, err
	}
	if err := in.inherit(c.principal.credential); err != nil {
		return nil, nil, err
	}
	role, _ := st.directory.Role(in.role)
	for _, in.action = range in.actions() {
		if err := c.authorize(in, role); err != nil {
			return nil, nil, err
		}
	}
	return st, role, nil
}

// authorize returns an error unless the caller may do in.action with the role; nil for a role that does not exist.
func (c *stsCall) authorize(in *assumeRoleInput, role *identities.Role) error {
	request := iam.Request{Principal: c.principal.Principal, Action: in.action, Resource: in.role,
		Context: &combinedValues{in, c.principal}, Work: c.work}
	d := iam.Decision{Kind: iam.Trust}
	if role != nil {
		policies := c.principal.credential.policies
		policies.Resource, policies.ResourceDecides, policies.Owner = []*iam.Policy{role.Trust}, true, role.Account
		d = iam.Evaluate(&request, &policies)
	}
	if err := c.work.Err(); err != nil {
		return err
	}
	if !d.Allowed {
		return newError(AccessDenied, d.Message(&request))
	}
	return nil
}

// The limits of sessions.
const (
	minSession       = 15 * 60      // seconds
	maxRoleSession   = 12 * 60 * 60 // of any role
	maxChained       = 60 * 60      // of a role that a session assumes
	maxUserSession   = 36 * 60 * 60
	roleSession      = 60 * 60 // default
	userSession      = 12 * 60 * 60
	maxSessionPolicy = 2048 // characters
)

// assumeRoleInput is the input of AssumeRole. It has the values of STS's own condition keys.
type assumeRoleInput struct {
	role, session, policy, externalID string
	source                            string // identity; empty: none
	tags                              sessionTags
	duration                          int

	all    sessionTags // with those that the caller's session passes on
	action string      // that is authorized
}

// roleName returns the account and the name in the role's ARN.
func (in *assumeRoleInput) roleName() (account, name string) {
	parts := strings.SplitN(in.role, ":", 6)
	return parts[4], in.role[strings.LastIndexByte(in.role, '/')+1:]
}

var (
	roleARN     = lazyregexp.New(`^arn:aws[a-z-]*:iam::[0-9]{12}:role/[\w+=,.@/-]+$`)
	sessionName = lazyregexp.New(`^[\w+=,.@-]*$`)
	externalID  = lazyregexp.New(`^[\w+=,.@:/-]*$`)
)

func (c *stsCall) assumeRoleInput() (*assumeRoleInput, error) {
	in := &assumeRoleInput{role: c.form.Get("RoleArn"), session: c.form.Get("RoleSessionName"),
		policy: c.form.Get("Policy"), externalID: c.form.Get("ExternalId"), source: c.form.Get("SourceIdentity")}
	var wrong constraint.Violations
	wrong.Required(c.form.Has("RoleArn"), "roleArn")
	wrong.Required(c.form.Has("RoleSessionName"), "roleSessionName")
	if c.form.Has("RoleSessionName") {
		wrong.Length("roleSessionName", in.session, 2, 64)
		wrong.Matches("roleSessionName", in.session, sessionName, `[\w+=,.@-]*`)
	}
	if c.form.Has("RoleArn") {
		wrong.Length("roleArn", in.role, 20, 2048)
	}
	if c.form.Has("ExternalId") {
		wrong.Length("externalId", in.externalID, 2, 1224)
		wrong.Matches("externalId", in.externalID, externalID, `[\w+=,.@:\/-]*`)
	}
	if c.form.Has("SourceIdentity") {
		wrong.Length("sourceIdentity", in.source, 2, 64)
		wrong.Matches("sourceIdentity", in.source, sessionName, `[\w+=,.@-]*`)
	}
	wrong.Length("policy", in.policy, 0, maxSessionPolicy)
	in.tags = c.tags(&wrong)
	in.duration = c.duration(&wrong, roleSession, maxRoleSession)
	if err := violationsError(wrong); err != nil {
		return nil, err
	}
	if !roleARN.MatchString(in.role) {
		return nil, newError("ValidationError", in.role+" is invalid")
	}
	if err := checkSessionPolicy(in.policy); err != nil {
		return nil, err
	}
	in.all = in.tags
	return in, c.checkTags(&in.tags)
}

func checkSessionPolicy(policy string) error {
	if policy == "" {
		return nil
	}
	if _, err := iam.Parse(iam.Session, "session policy", []byte(policy)); err != nil {
		return newError("MalformedPolicyDocument", err.Error())
	}
	return nil
}

func (in *assumeRoleInput) checkDuration(c *stsCall, role *identities.Role) error {
	switch {
	case in.duration > role.MaxSession:
		return newError("ValidationError", "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.")
	case c.principal.Role != "" && in.duration > maxChained:
		return newError("ValidationError",
			"The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining")
	}
	return nil
}

type sessionToken struct{ Credentials credentialsXML }

// getSessionToken creates temporary credentials of a user.
func (s *STS) getSessionToken(c *stsCall) (*sessionToken, error) {
	var wrong constraint.Violations
	duration := c.duration(&wrong, userSession, maxUserSession)
	if err := violationsError(wrong); err != nil {
		return nil, err
	}
	st := s.current.Load()
	if st == nil {
		v, err := ephemeralIssuer()
		if err != nil {
			return nil, err
		}
		st = &state{issuer: v}
	}
	if err := c.refuseMFA(); err != nil && c.principal.credential != nil {
		return nil, err
	}
	if c.principal.credential != nil && c.principal.credential.token != "" {
		return nil, newError(AccessDenied, "Cannot call GetSessionToken with session credentials")
	}
	now := s.clock.Now().Unix()
	keys, err := st.issuer.issue(session{Account: c.principal.Account, User: c.principal.ARN, Issued: now,
		Expires: now + int64(duration)})
	return &sessionToken{keys}, err
}

// duration returns DurationSeconds, or usual if it is absent.
func (c *stsCall) duration(f *constraint.Violations, usual, most int) int {
	text := c.form.Get("DurationSeconds")
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		f.Add("durationSeconds", text, "Member must have value greater than or equal to "+strconv.Itoa(minSession))
		return n
	}
	f.Between("durationSeconds", n, minSession, most)
	return n
}

// violationsError returns one error for all failures, or nil.
func violationsError(f constraint.Violations) error {
	if message := f.Message(); message != "" {
		return newError("ValidationError", message)
	}
	return nil
}
