package kms

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// permit authorizes the request's operation on a key.
func (c *call) permit(k *key) error { return c.permitAction(k, c.operation, nil) }

// permitAction authorizes an action on a key. Only AWS may change AWS managed keys.
func (c *call) permitAction(k *key, action string, context map[string]string) error {
	if k.Manager == aws && reservedActions[action] {
		return kmsError(identity.AccessDenied, "User: "+c.principal.ARN+" is not authorized to perform: kms:"+action+
			" on resource: "+
			c.arn("key/"+k.ID)+" because no resource-based policy allows the kms:"+action+" action")
	}
	if !c.gate.Enabled() {
		return nil
	}
	if err := c.work.Step(len(k.Policy)); err != nil {
		return err
	}
	policy, err := iam.Parse(iam.Resource, "the policy of key "+k.ID, []byte(k.Policy))
	if err != nil {
		return err
	}
	return convertAccessError(c.gate.Authorize(c.principal, identity.Access{
		Action: "kms:" + action, Resource: c.arn("key/" + k.ID), Policy: policy, PolicyDecides: true,
		Context: c.conditionKeys(k, context),
	}))
}

// permitCrypto authorizes the use of a key, for which a grant is sufficient unless a policy denies it explicitly.
func (c *call) permitCrypto(k *key, action string, context map[string]string) error {
	err := c.permitAction(k, action, context)
	var refusal *Error
	if !errors.As(err, &refusal) || strings.Contains(refusal.Message, "explicit deny") {
		return err
	}
	for _, g := range k.Grants {
		if c.isPrincipal(g.GranteePrincipal) && slices.Contains(g.Operations, action) && g.Constraints.allow(context) {
			return nil
		}
	}
	return err
}

// isPrincipal reports whether the caller is the principal of a grant. A grant to a role is also for its sessions.
func (c *call) isPrincipal(principal string) bool {
	return principal != "" && (principal == c.principal.ARN || principal == c.principal.Role)
}

// permitAny authorizes an operation that is not on a key.
func (c *call) permitAny() error {
	return convertAccessError(c.gate.Authorize(c.principal, identity.Access{Action: "kms:" + c.operation, Resource: "*"}))
}

// permitAlias authorizes a change of an alias, which needs permission on the alias as well as on its key.
func (c *call) permitAlias(name string) error {
	return convertAccessError(c.gate.Authorize(c.principal, identity.Access{Action: "kms:" + c.operation,
		Resource: c.arn(name)}))
}

// permitRetire authorizes the retirement of a grant, which the grant itself may allow to its principals.
func (c *call) permitRetire(k *key, g grant) error {
	if c.gate.Enabled() && (c.isPrincipal(g.RetiringPrincipal) || c.isPrincipal(g.GranteePrincipal) &&
		slices.Contains(g.Operations,
			"RetireGrant")) {
		return nil
	}
	return c.permit(k)
}

// conditionKeys returns the service's own condition keys for policies.
func (c *call) conditionKeys(k *key, context map[string]string) iam.Context {
	keys := iam.Context{
		"kms:CallerAccount": {c.principal.Account}, "kms:KeySpec": {k.Spec}, "kms:KeyUsage": {k.Usage},
		"kms:KeyOrigin": {"AWS_KMS"},
	}
	if len(context) > 0 {
		keys["kms:EncryptionContextKeys"] = slices.Sorted(maps.Keys(context))
	}
	for name, value := range context {
		keys["kms:EncryptionContext:"+name] = []string{value}
	}
	return keys
}

// convertAccessError converts an error of the gate to this service's form.
func convertAccessError(err error) error {
	var refused *identity.Error
	if errors.As(err, &refused) {
		return kmsError(refused.Code, refused.Message)
	}
	return err
}

// reservedActions are the actions on AWS managed keys that are reserved for AWS.
var reservedActions = map[string]bool{
	"CancelKeyDeletion": true, "CreateAlias": true, "CreateGrant": true, "DisableKey": true, "DisableKeyRotation": true,
	"EnableKey":         true,
	"EnableKeyRotation": true, "PutKeyPolicy": true, "RotateKeyOnDemand": true, "ScheduleKeyDeletion": true,
	"TagResource":   true,
	"UntagResource": true, "UpdateAlias": true, "UpdateKeyDescription": true,
}
