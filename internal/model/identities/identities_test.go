package identities

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/internal/model/iam"
)

const example = `
account: "123456789012"
region: eu-west-1
users:
  ana:
    keys: [{id: AKIAIOSFODNN7EXAMPLE, secret: shh}]
    groups: [writers]
    policies: [arn:aws:iam::123456789012:policy/Read]
    inline:
      own: '{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:Query","Resource":"*"}}'
    boundary: Read
    tags: {team: red}
groups:
  writers: {policies: [AdministratorAccess]}
roles:
  reader: &reader
    trust: {Version: 2012-10-17, Statement: {Effect: Allow, Principal: {AWS: "123456789012"}, Action: "sts:AssumeRole"}}
    policies: [Read]
    max_session: 2h
  other: *reader
policies:
  Read: {Version: "2012-10-17", Statement: {Effect: Allow, Action: "dynamodb:Get*", Resource: "*"}}
tables:
  orders: {Version: "2012-10-17", Statement: {Effect: Deny, Principal: "*", Action: "dynamodb:DeleteTable", Resource: "*"}}
accounts:
  "210987654321": {users: {eve: }}
`

func TestParse(t *testing.T) {
	t.Parallel()
	d, err := Parse("example.yaml", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	key, ok := d.Key("AKIAIOSFODNN7EXAMPLE")
	if !ok || key.User.ARN != "arn:aws:iam::123456789012:user/ana" || d.Region != "eu-west-1" ||
		d.Account != "123456789012" {
		t.Fatalf("%+v %v", key, ok)
	}
	var names []string
	for _, p := range key.User.Policies {
		names = append(names, p.Name)
	}
	if strings.Join(names, " ") != "Read own AdministratorAccess" || key.User.Boundary.Kind != iam.Boundary ||
		key.User.Tags["team"] != "red" {
		t.Errorf("%v %+v", names, key.User)
	}
	role, ok := d.Role(RoleARN("123456789012", "other"))
	if !ok || role.MaxSession != 7200 || role.Trust.Kind != iam.Trust || !strings.HasPrefix(role.ID, "AROA") ||
		len(role.ID) != 21 {
		t.Errorf("%+v %v", role, ok)
	}
	if d.TablePolicy("123456789012", "orders") == nil || d.TablePolicy("210987654321", "orders") != nil {
		t.Error("the tables' policies are lost")
	}
	if p, ok := d.Policies(iam.ParsePrincipal("arn:aws:sts::123456789012:assumed-role/reader/s")); !ok ||
		len(p.Identity) != 1 {
		t.Errorf("%+v %v", p, ok)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", "f.yaml: is empty: write at least users with their keys and policies"},
		{"a: [", "f.yaml: invalid YAML (line 1: did not find expected node content): correct this line or the one before it"},
		{"[]", "f.yaml:1: the document must be a mapping of names to values"},
		{"user: {}",
			`f.yaml:1: unknown field "user": use account, region, users, groups, roles, policies, tables or accounts`},
		{"account: 12", `f.yaml:1: "12" is not an account: write twelve digits in quotes, such as "123456789012"`},
		{"users:\n  ana:\n    key: {}",
			`f.yaml:3: a user has no "key": it has keys, groups, policies, inline, boundary and tags`},
		{"users:\n  a b: {}", `f.yaml:2: "a b" is not a name: at most 64 letters, digits and +=,.@_-`},
		{"users:\n  ana: {}\n  ana: {}", `f.yaml:3: "ana" is there twice`},
		{"users:\n  ana: {keys: [{id: short, secret: x}]}", `f.yaml:2: "short" is not the id of an access key: write 16 to 128 letters and digits, such as AKIAIOSFODNN7EXAMPLE (ASIA… are those of sessions)`},
		{"users:\n  ana: {keys: [{id: ASIAIOSFODNN7EXAMPLE, secret: x}]}", `f.yaml:2: "ASIAIOSFODNN7EXAMPLE" is not the id`},
		{"users:\n  ana: {keys: [{id: AKIAIOSFODNN7EXAMPLE}]}",
			`f.yaml:2: access key AKIAIOSFODNN7EXAMPLE has no secret: write secret: and what signs by it`},
		{"users:\n  ana: {policies: [Read]}", `f.yaml:2: there is no policy "Read" in account 000000000000: describe it under policies (AdministratorAccess is predefined)`},
		{"users:\n  ana: {groups: [g]}", `f.yaml:2: there is no group "g" in account 000000000000: describe it under groups`},
		{"users:\n  ana: {policies: Read}", `f.yaml:2: policies has to be a list of names, such as [one, two]`},
		{"users:\n  a: {keys: [{id: AKIAIOSFODNN7EXAMPLE, secret: x}]}\n  b: {keys: [{id: AKIAIOSFODNN7EXAMPLE, secret: x}]}",
			`f.yaml:3: access key AKIAIOSFODNN7EXAMPLE also belongs to user a: use a unique id`},
		{"roles:\n  r: {}", `f.yaml:2: role r has no trust: add a trust policy, which states who may assume it`},
		{"roles:\n  r:\n    max_session: 5m", `f.yaml:3: max_session is from 1h to 12h, not "5m"`},
		{"policies:\n  p:\n    Version: 2012-10-17\n    Statement:\n      - Effect: Allow\n        Action: GetItem\n        Resource: \"*\"", `f.yaml:6: policy p: Statement[0].Action: "GetItem" is not an action: write service:Name, such as dynamodb:GetItem or dynamodb:*`},
		{"policies:\n  p: '{'", `f.yaml:2: policy p: line 1, column 2: this is not JSON: unexpected EOF`},
		{"accounts: {\"000000000000\": {}}",
			`f.yaml:1: account 000000000000 is described twice: at the top and under accounts`},
	} {
		_, err := Parse("f.yaml", []byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q:\n%v\nwant\n%s", c.text, err, c.want)
		}
	}
}

func TestWith(t *testing.T) {
	t.Parallel()
	d, err := Parse("example.yaml", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	next, err := d.With(
		Change{Account: "123456789012", Kind: KindKeys, Name: "AKIAFAYFAYFAYFAYFAY1", Document: []byte("fay")},
		Change{Account: "123456789012", Kind: "users", Name: "fay", Document: []byte(`{"policies":["Read"]}`)},
		Change{Account: "111111111111", Kind: "tables", Name: "t",
			Document: []byte(`{"Statement":{"Effect":"Deny","Principal":"*","Action":"a:B","Resource":"*"}}`)},
	)
	if err != nil {
		t.Fatal(err)
	}
	if key, ok := next.Key("AKIAFAYFAYFAYFAYFAY1"); !ok || key.User.Name != "fay" || key.Secret != "" {
		t.Errorf("%+v", key)
	}
	if _, ok := d.Key("AKIAFAYFAYFAYFAYFAY1"); ok || next.TablePolicy("111111111111", "t") == nil {
		t.Error("the directory was changed, or the change lost")
	}
	for _, c := range []Change{
		{"123456789012", "users", "fay", []byte(`{"policies":["Nothing"]}`)}, {"12", "users", "fay", []byte(`{}`)},
		{"123456789012", "robots", "fay", []byte(`{}`)}, {"123456789012", "users", "fay", []byte(`{`)},
		{"123456789012", KindKeys, "x", []byte("nobody")},
	} {
		if _, err := d.With(c); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}

// TestWhatCannotApplyGivesNoAccess checks, for each kind, that an override that does not apply does not leave the
// entity as it was before.
func TestWhatCannotApplyGivesNoAccess(t *testing.T) {
	t.Parallel()
	d, err := Parse("example.yaml", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	const account = "123456789012"
	d, others := d.WithApplicable(
		Change{account, "users", "ana", []byte(`{"policies":["Nothing"]}`)},
		Change{account, "users", "bob", []byte(`{"groups":["writers"]}`)},
		Change{account, "roles", "reader", []byte(`{}`)},
		Change{account, "groups", "writers", []byte(`{"policies":["Nothing"]}`)},
		Change{account, "policies", "Read", []byte(`{}`)},
		Change{account, "tables", "orders", []byte(`{}`)},
		Change{"111111111111", "tables", "new", []byte(`{}`)},
	)
	if len(others) != 6 {
		t.Errorf("%v", others)
	}
	if _, ok := d.User(UserARN(account, "ana")); ok {
		t.Error("the user remains")
	}
	if _, ok := d.Key("AKIAIOSFODNN7EXAMPLE"); ok {
		t.Error("the user's key remains")
	}
	if _, ok := d.Role(RoleARN(account, "reader")); ok {
		t.Error("the role remains")
	}
	denies := func(policies iam.Policies) bool {
		r := iam.Request{Principal: iam.ParsePrincipal(UserARN(account, "bob")), Action: "dynamodb:GetItem",
			Resource: "arn:aws:dynamodb:eu-west-1:123456789012:table/orders", Context: iam.Context{}}
		return iam.Evaluate(&r, &policies).Statement != nil
	}
	bob, ok := d.User(UserARN(account, "bob"))
	other, known := d.Role(RoleARN(account, "other"))
	if !ok || !known || !denies(iam.Policies{Identity: bob.Policies}) ||
		!denies(iam.Policies{Identity: other.Policies}) {
		t.Errorf("a member of the group %+v, a role with the policy %+v", bob, other)
	}
	for _, p := range []*iam.Policy{d.TablePolicy(account, "orders"), d.TablePolicy("111111111111", "new")} {
		if !denies(iam.Policies{Resource: []*iam.Policy{p}}) {
			t.Errorf("the table's policy is %+v", p)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("a: &a [*a]"))
	f.Add([]byte("users: &u {ana: *u}"))
	f.Fuzz(func(_ *testing.T, text []byte) {
		if d, err := Parse("f", text); err == nil {
			_, _ = d.With(Change{Account: d.Account, Kind: "users", Name: "x", Document: text})
		}
	})
}
