package kms

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/internal/iam"
)

// permit says whether the caller may do on a key what the request asks.
func (c *call) permit(k *key) error { return c.permitAction(k, c.operation, nil) }

// permitAction says it of an action. Nobody but AWS changes the keys that it manages.
func (c *call) permitAction(k *key, action string, context map[string]string) error {
	if k.Manager == aws && ownersOnly[action] {
		return kmsError(identity.AccessDenied, "User: "+c.who.ARN+" is not authorized to perform: kms:"+action+" on resource: "+
			c.arn("key/"+k.ID)+" because no resource-based policy allows the kms:"+action+" action")
	}
	if !c.gate.On() {
		return nil
	}
	if err := c.work.Step(len(k.Policy)); err != nil {
		return err
	}
	policy, err := iam.Parse(iam.Resource, "the policy of key "+k.ID, []byte(k.Policy))
	if err != nil {
		return err
	}
	return asRefusal(c.gate.Authorize(c.who, identity.Access{
		Action: "kms:" + action, Resource: c.arn("key/" + k.ID), Policy: policy, PolicyDecides: true, Context: c.conditionKeys(k, context),
	}))
}

// permitCrypto says it of the use of a key, for which a grant will do where nothing denies it.
func (c *call) permitCrypto(k *key, action string, context map[string]string) error {
	err := c.permitAction(k, action, context)
	var refusal *Error
	if !errors.As(err, &refusal) || strings.Contains(refusal.Message, "explicit deny") {
		return err
	}
	for _, g := range k.Grants {
		if c.is(g.GranteePrincipal) && slices.Contains(g.Operations, action) && g.Constraints.hold(context) {
			return nil
		}
	}
	return err
}

// is says whether a grant that names a principal is the caller's: that of a role is its sessions'.
func (c *call) is(principal string) bool {
	return principal != "" && (principal == c.who.ARN || principal == c.who.Role)
}

// permitAny says it of an operation that is on no key.
func (c *call) permitAny() error {
	return asRefusal(c.gate.Authorize(c.who, identity.Access{Action: "kms:" + c.operation, Resource: "*"}))
}

// permitAlias says it of a change of an alias, which needs leave on the alias as well as on its key.
func (c *call) permitAlias(name string) error {
	return asRefusal(c.gate.Authorize(c.who, identity.Access{Action: "kms:" + c.operation, Resource: c.arn(name)}))
}

// permitRetire says it of the end of a grant, which is also for whom the grant itself names.
func (c *call) permitRetire(k *key, g grant) error {
	if c.gate.On() && (c.is(g.RetiringPrincipal) || c.is(g.GranteePrincipal) && slices.Contains(g.Operations, "RetireGrant")) {
		return nil
	}
	return c.permit(k)
}

// conditionKeys are the service's own, for policies.
func (c *call) conditionKeys(k *key, context map[string]string) iam.Context {
	keys := iam.Context{
		"kms:CallerAccount": {c.who.Account}, "kms:KeySpec": {k.Spec}, "kms:KeyUsage": {k.Usage}, "kms:KeyOrigin": {"AWS_KMS"},
	}
	if len(context) > 0 {
		keys["kms:EncryptionContextKeys"] = slices.Sorted(maps.Keys(context))
	}
	for name, value := range context {
		keys["kms:EncryptionContext:"+name] = []string{value}
	}
	return keys
}

// asRefusal makes what the gate says an answer of this service.
func asRefusal(err error) error {
	var refused *identity.Error
	if errors.As(err, &refused) {
		return kmsError(refused.Code, refused.Message)
	}
	return err
}

// ownersOnly are the actions that AWS reserves for itself on the keys that it manages.
var ownersOnly = map[string]bool{
	"CancelKeyDeletion": true, "CreateAlias": true, "CreateGrant": true, "DisableKey": true, "DisableKeyRotation": true, "EnableKey": true,
	"EnableKeyRotation": true, "PutKeyPolicy": true, "RotateKeyOnDemand": true, "ScheduleKeyDeletion": true, "TagResource": true,
	"UntagResource": true, "UpdateAlias": true, "UpdateKeyDescription": true,
}
