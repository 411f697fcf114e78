package kms

import (
	"fmt"

	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// defaultPolicy returns the policy that leaves access to the policies of the account's identities.
func (a *account) defaultPolicy() string {
	return `{
  "Version" : "2012-10-17",
  "Id" : "key-default-1",
  "Statement" : [ {
    "Sid" : "Enable IAM User Permissions",
    "Effect" : "Allow",
    "Principal" : {
      "AWS" : "` + a.rootARN() + `"
    },
    "Action" : "kms:*",
    "Resource" : "*"
  } ]
}`
}

// policyName is the name of the one policy that a key has.
const policyName = "default"

// ordinal formats a number so that texts sort as the numbers do.
func ordinal(i int) string { return fmt.Sprintf("%06d", i) }

// checkPolicy refuses a text that is not a valid policy.
func checkPolicy(text string) error {
	if _, err := iam.Parse(iam.Resource, "the key's policy", []byte(text)); err != nil {
		return kmsError("MalformedPolicyDocumentException", err.Error())
	}
	return nil
}

type getKeyPolicyInput struct {
	keyInput
	PolicyName *string
}

func (in *getKeyPolicyInput) check(v *violations) {
	in.keyInput.check(v)
	v.optional("policyName", in.PolicyName, 1, 128)
}

func checkPolicyName(name *string) error {
	if name != nil && *name != policyName {
		return notFound("No such policy exists")
	}
	return nil
}

func getKeyPolicy(c *call, in *getKeyPolicyInput) (any, error) {
	k, err := c.find(*in.KeyId)
	if err != nil {
		return nil, err
	}
	if err := c.permit(k); err != nil {
		return nil, err
	}
	return struct{ Policy, PolicyName string }{k.Policy, policyName}, checkPolicyName(in.PolicyName)
}

type putKeyPolicyInput struct {
	getKeyPolicyInput
	Policy *string
}

func (in *putKeyPolicyInput) check(v *violations) {
	in.getKeyPolicyInput.check(v)
	v.text("policy", in.Policy, 1, maxPolicy)
}

// putKeyPolicy is allowed on a key that is pending deletion, too.
func putKeyPolicy(c *call, in *putKeyPolicyInput) (any, error) {
	k, err := c.find(*in.KeyId)
	if err != nil {
		return nil, err
	}
	if err := c.permit(k); err != nil {
		return nil, err
	}
	if err := checkPolicyName(in.PolicyName); err != nil {
		return nil, err
	}
	if err := checkPolicy(*in.Policy); err != nil {
		return nil, err
	}
	next := k.clone()
	next.Policy = *in.Policy
	return nil, c.saveKey(next)
}

type listKeyPoliciesInput struct {
	keyInput
	pageInput
}

func (in *listKeyPoliciesInput) check(v *violations) {
	in.keyInput.check(v)
	in.checkPage(v, 1000)
}

func listKeyPolicies(c *call, in *listKeyPoliciesInput) (any, error) {
	k, err := c.find(*in.KeyId)
	if err != nil {
		return nil, err
	}
	return struct {
		PolicyNames []string
		pageOutput
	}{[]string{policyName}, pageEnd(nil)}, c.permit(k)
}
